import { MAX_PER_PAGE, MOST_A_SECOND } from '#accounts/discovery-key.limits';
import { keyWords } from './key-words.js';

const words = keyWords.discovery;

type Rights = Readonly<{ rate_per_second: string; max_per_page: string }>;

/** What is wrong with the typed rate and page size of a discovery key. */
export function wrongRights({ rate_per_second: rate, max_per_page: pages }: Rights): Partial<Rights> {
  return {
    ...(rate.trim() !== '' && !isCount(rate, MOST_A_SECOND) && { rate_per_second: words.wrongRate }),
    ...(!isCount(pages, MAX_PER_PAGE) && { max_per_page: words.wrongPages }),
  };
}

const isCount = (text: string, most: number) => /^\s*[1-9]\d*\s*$/.test(text) && Number(text) <= most;
