import { Button } from '@mantine/core';
import type { TestDelivery } from '#outbound/webhook.contract';
import { number } from '../../words/formats.js';
import { settingsWords } from '../settings-words.js';
import { Dialog } from '../../frame/dialog.js';
import { webhookWords as words } from './webhook-words.js';

/** A test message and the receiver's answer. */
export function TestDeliveryDialog({ delivery, onClose }: Readonly<{ delivery: TestDelivery; onClose: () => void }>) {
  const { delivered, http_status: status, error, answer, duration_ms, request } = delivery;
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Dialog title={words.test} size="lg" typed={null} onClose={onClose}>
      <div className="stack test-delivery">
        <div className={delivered ? 'news' : 'alert'} role={delivered ? 'status' : 'alert'}>
          {delivered ? words.testOk(status, number(duration_ms)) : words.testFailed(error ?? words.noAnswer)}
        </div>
        <h2>{words.testAnswer}</h2>
        <pre className="mono code">{answer === null || answer === '' ? words.emptyAnswer : answer}</pre>
        <h2>{words.testSent}</h2>
        <pre className="mono code">
          {[`${request.method} ${request.url}`, ...headers, '', JSON.stringify(request.body, null, 2)].join('\n')}
        </pre>
        <div className="row end">
          <Button onClick={onClose}>{settingsWords.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
