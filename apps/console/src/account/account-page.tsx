import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { accountWords as words } from './account-words.js';
import { operatorWords } from '../settings/operators/operator-words.js';
import { NameForm } from './name-form.js';
import { OwnSessions } from './own-sessions.js';
import { PasswordForm } from './password-form.js';
import { TimeZoneChoice } from './time-zone-choice.js';
import { TotpSetup } from './totp-setup.js';

/** What people can change about themselves. */
export function AccountPage() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { operator, previous_sign_in_at: before } = session;
  const roles = operator.roles.map((role) => operatorWords.role[role]).join(', ');
  return (
    <div className="page narrow">
      <PageHead title={words.title} hint={`${operator.email} · ${roles}`} />
      <p className="soft small last-sign-in">
        {before === null ? (
          words.firstSignIn
        ) : (
          <>
            {words.lastSignIn} <Time at={before} />. {words.notMe}
          </>
        )}
      </p>
      <NameForm operator={operator} />
      <PasswordForm operator={operator} />
      <TimeZoneChoice />
      <TotpSetup session={session} />
      <OwnSessions />
    </div>
  );
}
