// What PostgreSQL itself puts in quotes, so that the text is the one that it answers.
const TO_QUOTE = /^$|[{}",\\ \t\n\r\v\f]|^null$/i;

/** An array in PostgreSQL's text format, exactly as PostgreSQL writes it. COPY would take an array of JavaScript for JSON. */
export function arrayText(values: readonly (string | number)[]): string {
  return `{${values.map((value) => quoted(String(value))).join(',')}}`;
}

function quoted(text: string): string {
  return TO_QUOTE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}
