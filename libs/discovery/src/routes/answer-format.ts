import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '#base/json';
import { type Argument, parametersOf, text, value } from './argument.js';
import { type Json, xmlText } from './xml-text.js';

/** The format of an answer. A callback forces JSON, whatever `format` says. */
export type AnswerFormat = Readonly<{ kind: 'json' } | { kind: 'xml' } | { kind: 'jsonp'; callback: string }>;

export const MEDIA_TYPES = {
  json: 'application/json; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
} as const;

const MAX_CALLBACK_LENGTH = 128;

/**
 * A name, or a path of names and indexes such as `angular.callbacks._0` or `cb[3]`. It contains nothing that could run by itself.
 */
const CALLBACK = /^[a-z_$][\w$]*(?:\.[a-z_$][\w$]*|\[\d{1,6}\])*$/i;

const KINDS: ReadonlyMap<string, 'json' | 'xml'> = new Map([
  ['json', 'json'],
  ['xml', 'xml'],
]);

const KIND = value('format', 'how the answer is written', {
  expected: 'json or xml',
  parse: (name) => KINDS.get(name.toLowerCase()),
  enum: [...KINDS.keys()],
  schema: { default: 'json' },
});

const NAME = text('callback', 'name of a function: JSON wrapped in a call of it', MAX_CALLBACK_LENGTH);

export const FORMAT: Argument<AnswerFormat> = {
  parameters: parametersOf([KIND, NAME]),
  read: (args) => {
    const kind = KIND.read(args) ?? 'json';
    const callback = NAME.read(args);
    if (callback === undefined) return { kind };
    if (CALLBACK.test(callback)) return { kind: 'jsonp', callback };
    args.report('callback', 'must be the name of a JavaScript function');
    return { kind: 'json' };
  },
};

/** Whether a browser says that a page of this server asks. */
export const isOwnPage = (headers: IncomingHttpHeaders): boolean => headers['sec-fetch-site'] === 'same-origin';

export function render(json: string, format: AnswerFormat): string {
  if (format.kind === 'json') return json;
  if (format.kind === 'xml') return xmlText(parseJson(json) as Json);
  return `${format.callback}(${asScript(json)});`;
}

/** JSON strings may contain these two line separators; JavaScript strings may not, before 2019. */
export function asScript(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'));
}
