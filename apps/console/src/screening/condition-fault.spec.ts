import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.js';
import { conditionFault } from './condition-fault.js';

const refused = (text: string) => new ApiError(400, [40001], [`Missing or invalid field: ${text}`], null);

describe('conditionFault', () => {
  it.each([
    ['rules.4.where.value: must be an integer', 'Value 1: must be an integer'],
    ['rule.where.and[1].value: must be an integer', 'Value 2: must be an integer'],
    ['policies.0.where.or[2].op: is not known', 'Comparison 3: is not known'],
    ['rule.where.or[0].and[1].field: is not known', 'or[0].and[1].field: is not known'],
    ['rule.where: must be an object', 'must be an object'],
    ['rule.name: must be text; rule.where.value: must be an integer', 'Value 1: must be an integer'],
  ])('%s', (text, fault) => expect(conditionFault(refused(text))).toBe(fault));

  it('is undefined for an error that is not about the condition', () => {
    expect(conditionFault(refused('rule.name: must be text'))).toBeUndefined();
    expect(conditionFault(new Error('offline'))).toBeUndefined();
  });
});
