import type { CatalogueSearch } from '../catalogue-search.js';
import { orNotFound } from '#web/http-error';
import { singleText } from './answer-text.js';
import { idOf } from './argument-reader.js';
import { argumentsOf } from './discovery-request.js';
import { PRESENTATION, rejectIssues } from './presentation.js';
import { type Exchange, sendAnswer } from './send-answer.js';

/** Answers a path that ends with the id of a document; 404 if there is none. */
export async function sendOne(
  catalogue: CatalogueSearch,
  kind: 'event' | 'performer' | 'venue',
  idText: string,
  exchange: Exchange,
): Promise<void> {
  const args = argumentsOf(exchange.request);
  const presentation = PRESENTATION.read(args);
  rejectIssues(args);
  const id = idOf(idText);
  const document = orNotFound(id === undefined ? undefined : await catalogue.one(kind, id), kind);
  await sendAnswer(exchange, singleText(document), presentation, { freshFor: 'stock' });
}
