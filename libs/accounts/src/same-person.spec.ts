import { describe, expect, it } from 'vitest';
import { countTogether, type Makers, samePerson } from './same-person.js';

/** Tokens are `token:<name>`; `a > b` says that the first has made the second, or given it a password. */
function makersOf(...acts: readonly string[]): Makers {
  const pairs = acts.map((act) => act.split(' > ')).map(([by = '', made = '']) => ({ by, made }));
  return {
    tokens: new Map(pairs.filter(({ made }) => made.startsWith('token:')).map(({ by, made }) => [made, by])),
    access: pairs.filter(({ made }) => made.startsWith('operator:')).map(({ by, made }) => ({ by, operator: made })),
  };
}

const [ADA, BOB, CY] = ['operator:ada', 'operator:bob', 'operator:cy'];
const [T, U, BACKOFFICE] = ['token:t', 'token:u', 'token:backoffice'];

describe('somebody who approves what another began', () => {
  it.each([
    ['begins it', ADA, ADA, [], 'self'],
    ['has made the token that began it', T, ADA, [`${ADA} > ${T}`], 'own token'],
    ['has made the token that made the token', U, ADA, [`${ADA} > ${T}`, `${T} > ${U}`], 'own token'],
    ['acts through a token that the beginner has made', ADA, T, [`${ADA} > ${T}`], 'own token'],
    ['was made by the beginner', ADA, BOB, [`${ADA} > ${BOB}`], 'made by the other'],
    ["was made by the beginner's token", ADA, BOB, [`${ADA} > ${T}`, `${T} > ${BOB}`], 'made by the other'],
    [
      'was made by somebody whom the beginner made',
      ADA,
      CY,
      [`${ADA} > ${BOB}`, `${BOB} > ${CY}`],
      'made by the other',
    ],
    ['was made by the maker of the token', T, BOB, [`${ADA} > ${T}`, `${ADA} > ${BOB}`], 'made by the other'],
    ['has made the beginner', BOB, ADA, [`${ADA} > ${BOB}`], 'made the other'],
    ['has made the maker of the token', T, ADA, [`${BOB} > ${T}`, `${ADA} > ${BOB}`], 'made the other'],
    ['has the same maker', BOB, CY, [`${ADA} > ${BOB}`, `${ADA} > ${CY}`], 'made by one'],
    ['was made by BACKOFFICE_TOKEN, which began it', BACKOFFICE, ADA, [`${BACKOFFICE} > ${ADA}`], 'made by the other'],
    [
      'was made by BACKOFFICE_TOKEN, whose token began it',
      T,
      ADA,
      [`${BACKOFFICE} > ${T}`, `${BACKOFFICE} > ${ADA}`],
      'made by the other',
    ],
  ] as const)('is one person with them who %s', (_, beginner, approver, acts, expected) => {
    expect(samePerson(beginner, approver, makersOf(...acts))).toBe(expected);
  });

  it.each([
    ['nobody has made', ADA, BOB, []],
    ['made a token that has nothing to do with it', ADA, BOB, [`${BOB} > ${T}`]],
    ['has made an account with the beginner', ADA, CY, [`${ADA} > ${BOB}`, `${CY} > ${BOB}`]],
    ['BACKOFFICE_TOKEN has made too', ADA, BOB, [`${BACKOFFICE} > ${ADA}`, `${BACKOFFICE} > ${BOB}`]],
    ['did not make BACKOFFICE_TOKEN', BACKOFFICE, ADA, []],
    ['is known to the server', ADA, BOB, [`cli:root > ${BOB}`]],
  ] as const)('is another person who %s', (_, beginner, approver, acts) => {
    expect(samePerson(beginner, approver, makersOf(...acts))).toBeUndefined();
  });

  it('ends where two have given each other a password', () => {
    const makers = makersOf(`${ADA} > ${BOB}`, `${BOB} > ${ADA}`);
    expect(samePerson(ADA, BOB, makers)).toBe('made by the other');
  });
});

describe('what two do', () => {
  it.each([
    [T, ADA, [`${ADA} > ${T}`], true],
    [ADA, BOB, [`${ADA} > ${BOB}`], true],
    [BOB, CY, [`${ADA} > ${BOB}`, `${ADA} > ${CY}`], true],
    [ADA, BOB, [], false],
    [BACKOFFICE, BACKOFFICE, [], true],
    [BACKOFFICE, ADA, [`${BACKOFFICE} > ${ADA}`], false],
  ] as const)('counts together (%s, %s, %j: %s)', (one, two, acts, expected) => {
    expect(countTogether(one, two, makersOf(...acts))).toBe(expected);
  });
});
