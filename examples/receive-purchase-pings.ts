import { createServer } from 'node:http';
import { CheckoutClient } from 'willcall-client/checkout';
import { PurchasePingVerificationError, verifyPurchasePing } from 'willcall-client/purchase-ping';

const { WILLCALL_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '8080' } = process.env;
const checkout = new CheckoutClient({ url: WILLCALL_URL, clientId: CLIENT_ID, secret: CLIENT_SECRET });

const server = createServer(async ({ method, url = '', headers }, response) => {
  try {
    const { orderId } = verifyPurchasePing({ method, url, headers }, { clientId: CLIENT_ID, secrets: [CLIENT_SECRET] });
    const purchase = await checkout.getPurchase(orderId);
    console.log(`${purchase.id} is ${purchase.status.status_message}`);
    response.end(JSON.stringify({ order_id: orderId }));
  } catch (error) {
    response.writeHead(error instanceof PurchasePingVerificationError ? 401 : 500).end();
  }
});
server.listen(Number(PORT), () => console.log('listening'));
