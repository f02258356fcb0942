import { authorizationFor, isSignedBy } from 'willcall-client/signature';

const { WILLCALL_URL = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const url = new URL(`${WILLCALL_URL}/checkout/v1/listings/demo-payment-1?quantity=2`);
const request = { method: 'GET', path: url.pathname, body: '' };
const authorization = authorizationFor(request, { clientId: CLIENT_ID, secret: CLIENT_SECRET });

const { status } = await fetch(url, { headers: { authorization } });
console.log(status, isSignedBy(authorization, request, { clientId: CLIENT_ID, secrets: [CLIENT_SECRET] }));
