import { describe, expect, it } from 'vitest';
import { WireDocument } from '../query/wire-document.js';
import { scoredDocuments } from './scored-documents.js';

const page = Array.from({ length: 5_000 }, (_, at) => ({ id: at, score: at / 10_000 }));
const events = new Map(page.map(({ id }) => [id, WireDocument.of(`{"id":${id},"title":"é"}`)]));
const quietly = async () => undefined;

describe('the events of a page of recommendations', () => {
  it('give way after every few, however many there are', async () => {
    let since = 0;
    let most = 0;
    const counted = new Map(events);
    counted.get = (id) => {
      most = Math.max(most, (since += 1));
      return events.get(id);
    };
    await scoredDocuments(page, counted, async () => void (since = 0));
    expect(most).toBeLessThanOrEqual(20);
  });

  it('are the documents with their scores, without those that are gone', async () => {
    const documents = await scoredDocuments(page.slice(0, 3), new Map([...events].filter(([id]) => id !== 1)), quietly);
    expect(documents.map(({ json }) => json)).toEqual([
      '{"score":0,"event":{"id":0,"title":"é"}}',
      '{"score":0.0002,"event":{"id":2,"title":"é"}}',
    ]);
  });

  it('have another digest where the score or the event is another', async () => {
    const digests = async (score: number, title: string) => {
      const event = new Map([[1, WireDocument.of(`{"title":"${title}"}`)]]);
      return (await scoredDocuments([{ id: 1, score }], event, quietly)).map(({ digest }) => digest);
    };
    expect(await digests(0.5, 'a')).toEqual(await digests(0.5, 'a'));
    expect(
      new Set([...(await digests(0.5, 'a')), ...(await digests(0.6, 'a')), ...(await digests(0.5, 'b'))]).size,
    ).toBe(3);
  });
});
