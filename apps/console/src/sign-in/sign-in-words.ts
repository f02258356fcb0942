export const signInWords = {
  title: 'Sign in to Willcall',
  again: 'Your session has ended',
  againHint: (idleMinutes: number) =>
    `It ends after ${idleMinutes === 1 ? 'a minute' : `${idleMinutes} minutes`} without use. Sign in to go on where you were. Nothing you typed is lost.`,
  email: 'Email',
  password: 'Password',
  code: 'Code',
  codeHint: 'The six digits that your authenticator app shows now, or a recovery code.',
  signIn: 'Sign in',
  otherPerson: 'Use another account',
  wrong: 'This e-mail, password or code is not right.',
  wrongPassword: 'This password or code is not right.',
  codeNeeded: 'Enter the code that your authenticator app shows.',
  tooMany: (minutes: number) =>
    `Too many failed tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  missing: 'Enter your e-mail and your password.',
  or: 'or',
  openid: 'Continue with single sign-on',
  problems: {
    unknown: 'Your account at the sign-in service has no access here. Ask an administrator.',
    cancelled: 'You cancelled at the sign-in service.',
    failed: 'The sign-in service could not sign you in. Try again, or use your password.',
  },
  authenticator: {
    title: 'Set up an authenticator app',
    hint: 'Your role needs one. Once it is set up, you can go on.',
    go: 'Go on',
  },
  invitation: {
    title: 'Choose your password',
    hint: (least: number) => `At least ${least} characters. A long sentence is good.`,
    save: 'Save password',
    done: 'Your password is saved. You can sign in now.',
    invalid: 'This invitation was used already or has expired. Ask an administrator for a new one.',
    tooShort: (least: number) => `The password needs at least ${least} characters.`,
  },
} as const;
