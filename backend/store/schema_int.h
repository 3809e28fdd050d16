#ifndef BACKEND_STORE_SCHEMA_INT_H
#define BACKEND_STORE_SCHEMA_INT_H

/*
 * The tables of the embedded store as SQL: one text a format version, applied in order, and every
 * statement that runs on them. For backend/store alone. Constant.
 */

enum { SCHEMA_APPLICATION_ID = 0x46644B31 /* "FdK1" */ };

extern const char *const schema_steps[];
extern const int schema_steps_count;
extern const char schema_stamp[]; /* writes the newest version into the file */
extern const char *const sql_texts[];

#endif
