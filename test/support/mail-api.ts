import { rmSync } from 'node:fs';
import { startTestApi, type TestApi } from './api.js';
import { type SmtpDouble, startSmtpDouble } from './smtp-double.js';
import { temporaryFolder } from './temporary-folder.js';

export type MailApi = Readonly<{
  api: TestApi;
  smtp: SmtpDouble;
  /** Its `FILES_DIR`, where mails are without a mail server. */
  folder: string;
  close(): Promise<void>;
}>;

/** An api whose mails go to a mail server of the test. Close it in an `afterAll`. */
export async function startMailApi(): Promise<MailApi> {
  const folder = temporaryFolder('mail');
  const smtp = await startSmtpDouble();
  const mail = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Box Office <tickets@front-row.example>',
    MAIL_BOUNCES_ADDRESS: 'bounces+*@front-row.example',
  };
  const api = await startTestApi({ FILES_DIR: folder, ...mail });
  return {
    api,
    smtp,
    folder,
    async close() {
      await api.close();
      await smtp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
