#ifndef MODEL_NUMBER_H
#define MODEL_NUMBER_H

/*
 * Numbers as text, shared by the JSON and YAML writers and by CEL. Pure.
 */

#include "model/node.h"

/* The shortest text that reads back as the same double, with a fraction or an exponent. */
void number_add_double(struct text *out, double value);

/* A NODE_INT or NODE_FLOAT. An integer too long for 64 bits keeps its digits in node.text. */
void number_add_node(struct text *out, const struct node *n);

/* Whether text is -?digits, as a JSON integer. */
bool number_is_integer(struct str text);

#endif
