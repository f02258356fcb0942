export const confirmIdentityWords = {
  title: 'Confirm that it is you',
  hint: 'This changes who has access. Nothing you typed is lost.',
  password: 'Password',
  code: 'Code',
  codeHint: 'The six digits that your authenticator app shows now, or a recovery code.',
  confirm: 'Continue',
  cancel: 'Cancel',
  missing: 'Enter your password.',
  openidHint: 'Sign in once more in a new tab. This page then goes on by itself.',
  openid: 'Confirm with single sign-on',
  or: 'or',
  none: 'You have no password. Ask an administrator to set one.',
  done: {
    title: 'Confirmed',
    text: 'It is you. Close this tab and go on in the one before.',
    problemTitle: 'Not confirmed',
    problems: {
      unknown: 'The sign-in service knows you as somebody else. Close this tab and try again.',
      cancelled: 'You cancelled at the sign-in service. Close this tab and try again.',
      failed: 'The sign-in service could not confirm that it is you. Close this tab and try again.',
    },
  },
} as const;
