import { keyWords } from './key-words.js';

const words = keyWords.discovery;
const MOST_A_PAGE = 5_000;

type Rights = Readonly<{ rate_per_second: string; max_per_page: string }>;

/** What is wrong with the typed rate and page size of a discovery key. */
export function wrongRights({ rate_per_second: rate, max_per_page: pages }: Rights): Partial<Rights> {
  const isPage = /^\s*[1-9]\d{0,3}\s*$/.test(pages) && Number(pages) <= MOST_A_PAGE;
  return {
    ...(!/^\s*([1-9]\d{0,6})?\s*$/.test(rate) && { rate_per_second: words.wrongRate }),
    ...(!isPage && { max_per_page: words.wrongPages }),
  };
}
