// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { JobPreview } from '#desk/job.contract';
import { serve } from '../../test/server.js';
import { shown } from '../../test/shown.js';
import { bulkWords } from '../jobs/job-words.js';
import { PostponeDialog } from './run-dialogs.js';
import { showRunWords } from './show-run-words.js';

const words = showRunWords.postpone;

afterEach(() => void vi.unstubAllGlobals());

const preview = (choice: number): JobPreview => ({
  total: 3,
  allowed: 3,
  unchanged: 0,
  refused: 0,
  effects: { ping: 0, refund: 0, restock: 0, note: 3, choice },
  amount_returned: 0,
  tickets_returned: 0,
  needs_approval: false,
  sample: [],
});

it.each([
  ['', 0, bulkWords.noMoney],
  ['2099-12-05T18:00', 2, bulkWords.asked(2, '2')],
])('a show that is postponed lets buyers choose until %j', async (until, asked, text) => {
  const requests = serve({ 'POST jobs': preview(asked) });
  shown(<PostponeDialog id="1001" onClose={() => undefined} />, ['runs:act']);
  fireEvent.click(screen.getByLabelText(words.unknown));
  fireEvent.change(screen.getByLabelText(words.choice), { target: { value: until } });
  fireEvent.click(screen.getByRole('button', { name: bulkWords.preview }));
  await screen.findByText(text);
  const choice = until === '' ? {} : { choice_until: new Date(until).toISOString() };
  expect(requests[0]?.body).toEqual({ kind: 'postpone_event', event_id: '1001', arguments: choice, dry_run: true });
});
