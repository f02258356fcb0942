// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import '../test/dom.js';
import built from '../../../dist/console/addresses.json?raw';
import { router } from './router.js';

describe('the addresses of the routes', () => {
  it('are those at which the api answers with the page', () => {
    expect(JSON.parse(built)).toEqual(Object.keys(router.routesByPath).sort());
  });
});
