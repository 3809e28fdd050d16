#include "model/number.h"

#include <stdio.h>
#include <string.h>

void
number_add_double(struct text *out, double value)
{
	char digits[40];
	double again;
	int n = 0;

	for (int precision = 15; precision <= 17; precision++) {
		n = snprintf(digits, sizeof digits, "%.*g", precision, value);
		if (str_to_double((struct str){ digits, (size_t)n }, &again) && again == value)
			break;
	}
	text_add_str(out, (struct str){ digits, (size_t)n });
	if (strpbrk(digits, ".eni") == NULL)
		text_add(out, ".0");
}

bool
number_is_integer(struct str text)
{
	size_t i = text.n > 0 && text.p[0] == '-';

	if (i == text.n || (text.p[i] == '0' && text.n > i + 1))
		return false;
	for (; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
	}
	return true;
}

void
number_add_node(struct text *out, const struct node *n)
{
	if (n->type == NODE_INT)
		text_add_int(out, n->u.integer);
	else if ((n->u.floating >= 9223372036854775808.0 ||
		     n->u.floating < -9223372036854775808.0) &&
		 number_is_integer(n->text))
		text_add_str(out, n->text);
	else if (n->u.floating - n->u.floating != 0)
		text_add(out, "null"); /* neither JSON nor our YAML can say it */
	else
		number_add_double(out, n->u.floating);
}
