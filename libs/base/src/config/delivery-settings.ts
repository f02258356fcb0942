import * as kind from './kinds.js';

/** How long the steps of a delivery may take, and who signs passes. */
export const deliverySettings = {
  SHIP_BEFORE_EVENT_HOURS: kind
    .integer(0, 8_760)
    .prefault('72')
    .describe('how long before the event tickets must be shipped; a listing may say more'),
  DELIVER_BEFORE_EVENT_HOURS: kind
    .integer(0, 8_760)
    .prefault('24')
    .describe('how long before the event tickets without a parcel must be delivered'),
  TRANSFER_ACCEPT_HOURS: kind
    .integer(1, 8_760)
    .prefault('24')
    .describe('how long a buyer may take to accept transferred tickets before they expire, at most until the event'),
  RETRANSFER_HOURS: kind
    .integer(1, 8_760)
    .prefault('4')
    .describe('how long a seller may take to send declined or expired transfers again, at most until the event'),
  REENTER_HOURS: kind
    .integer(1, 8_760)
    .prefault('2')
    .describe('how long a seller may take to replace a barcode that was refused at the door, at most until the event'),
  PASS_CERT_FILE: kind
    .readableFile()
    .optional()
    .describe(
      'certificate of a pass type of Apple Wallet (PEM, RSA), which signs tickets as passes; unset = none are made, but for a test certificate in the demo',
    ),
  PASS_KEY_FILE: kind.readableFile().optional().describe('private key of PASS_CERT_FILE (PEM, without a password)'),
  PASS_WWDR_FILE: kind
    .readableFile()
    .optional()
    .describe(
      "certificate of Apple's that issued PASS_CERT_FILE (WWDR, PEM); unset = the second one in PASS_CERT_FILE",
    ),
  PASS_TYPE_ID: kind
    .matching(/^[\w.-]{1,200}$/, 'the identifier of a pass type, such as pass.example.tickets')
    .optional()
    .describe('pass type that PASS_CERT_FILE is for'),
  PASS_TEAM_ID: kind
    .matching(/^[A-Za-z0-9]{1,32}$/, 'letters and digits')
    .optional()
    .describe('team at Apple that the pass type belongs to'),
};
