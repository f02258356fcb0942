import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isOrderStatus, verifyWebhook, WebhookVerificationError } from 'willcall-client/webhooks';

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    const event = verifyWebhook(
      { headers: request.headers, body: await buffer(request) },
      { secrets: [WEBHOOK_SECRET] },
    );
    if (isOrderStatus(event) && !seen.has(event.id)) console.log(`${event.data.order_id} is ${event.data.status}`);
    seen.add(event.id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
server.listen(Number(PORT), () => console.log('listening'));
