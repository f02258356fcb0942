import { parseJson } from '#base/json';
import { asScript } from './answer-format.js';
import type { AnswerText } from './answer-text.js';
import { withPartner } from './partner-links.js';
import type { Presentation } from './presentation.js';
import { type Json, xmlElement, XML_DECLARATION } from './xml-text.js';

const COMMA = Buffer.from(',');
const BULK_END = Buffer.from(']}');

/** The body of an answer in its format, a document at a time: long answers are rendered while they are sent. */
export function answerParts(text: AnswerText, presentation: Presentation, tookMs: number): Iterable<string | Buffer> {
  return presentation.format.kind === 'xml'
    ? xmlParts(text, presentation, tookMs)
    : jsonParts(text, presentation, tookMs);
}

/** Whether a document costs more than copying its bytes. */
export function isRendered({ format, partner }: Presentation): boolean {
  return format.kind !== 'json' || partner !== undefined;
}

function* jsonParts(
  { bulk, documents }: AnswerText,
  { format, partner }: Presentation,
  tookMs: number,
): Generator<string | Buffer> {
  if (format.kind === 'jsonp') yield `${format.callback}(`;
  if (bulk) yield `{"meta":${script(metaOf(bulk.meta, tookMs))},"${bulk.name}":[`;
  let isFirst = true;
  for (const document of documents) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    const isPlain = format.kind === 'json' && partner === undefined;
    yield isPlain ? document : script(withPartner(document.toString(), partner));
  }
  if (bulk) yield BULK_END;
  if (format.kind === 'jsonp') yield ');';

  function script(json: string): string {
    return format.kind === 'jsonp' ? asScript(json) : json;
  }
}

function* xmlParts({ bulk, documents }: AnswerText, { partner }: Presentation, tookMs: number): Generator<string> {
  yield XML_DECLARATION;
  const parsed = (document: Buffer) => parseJson(withPartner(document.toString(), partner)) as Json;
  if (!bulk) {
    for (const document of documents) yield xmlElement('response', parsed(document));
    return;
  }
  yield `<response>${xmlElement('meta', parseJson(metaOf(bulk.meta, tookMs)) as Json)}`;
  for (const document of documents) yield xmlElement(bulk.name, parsed(document));
  yield '</response>';
}

function metaOf(meta: string, tookMs: number): string {
  return `{"took":${tookMs}${meta}`;
}
