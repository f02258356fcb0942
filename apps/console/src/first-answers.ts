import { ordersQuery } from './api/orders.js';
import { PATH_PREFIX } from './api/path-prefix.js';
import { queryClient } from './api/query-client.js';
import { sessionQuery } from './api/session.js';
import { readAddress } from './orders/list-address.js';
import { questionOf } from './orders/list-question.js';

const WITHOUT_SESSION = ['/sign-in', '/invitation', '/confirmed'];
const LIST = ['/', '/orders'];

/**
 * Asks for what the first page needs, before the rest of the scripts is evaluated. The pages ask for the same, and get these answers; a failure is
 * theirs to show.
 */
function askFirst(): void {
  const path = location.pathname.slice(PATH_PREFIX.length);
  if (WITHOUT_SESSION.includes(path)) return;
  const session = queryClient.fetchQuery(sessionQuery);
  // A list with filters depends on its view and on the time.
  const isPlainList = LIST.includes(path) && location.search === '';
  session
    .then((known) => {
      if (known && isPlainList) void queryClient.prefetchInfiniteQuery(ordersQuery(questionOf(readAddress({}))));
    })
    .catch(() => undefined);
}

askFirst();
