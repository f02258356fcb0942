/** Values of one argument of a query. Enough for any query of a person or a script. */
export const MOST_VALUES = 50;
