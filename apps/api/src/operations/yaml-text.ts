export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Words such as `on` and `null` are no names in YAML 1.1. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_$][\w$]*$/i;
const LEVEL = '  ';

/** JSON as YAML in block style. Texts stay quoted as in JSON, which is YAML too. Takes about as long as `JSON.stringify`. */
export function yamlText(value: JsonValue): string {
  return isBlock(value) ? block(value, '') : `${JSON.stringify(value)}\n`;
}

function block(value: Block, indent: string): string {
  if (isArray(value)) return value.map((entry) => `${indent}-${afterDash(entry, indent + LEVEL)}`).join('');
  return Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .map(([key, child]) => `${indent}${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}:${afterColon(child, indent)}`)
    .join('');
}

/** The first line of a block may stand behind its dash. */
function afterDash(value: JsonValue, indent: string): string {
  return isBlock(value) ? ` ${block(value, indent).slice(indent.length)}` : ` ${JSON.stringify(value)}\n`;
}

function afterColon(value: JsonValue, indent: string): string {
  return isBlock(value) ? `\n${block(value, indent + LEVEL)}` : ` ${JSON.stringify(value)}\n`;
}

type Block = readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Empty ones are written as in JSON. */
function isBlock(value: JsonValue): value is Block {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** `Array.isArray` does not narrow a union with a readonly array. */
function isArray(value: Block): value is readonly JsonValue[] {
  return Array.isArray(value);
}
