// Requests that lead from ordering a phone number to sending a text, as a customer makes them.
import { expect } from 'vitest';
import type { SandboxWorld } from '../../src/index.ts';
import { dataOf } from './caller-trust.ts';
import { type Answer, type Client, playing } from './client.ts';

export const NUMBERS = '/v1/phone-numbers';
export const MESSAGES = '/v1/sms';
export const BRAND = '/v1/brand';
export const CAMPAIGNS = '/v1/brand/campaigns';

export const BRAND_DETAILS = { legal_name: 'Harbor Street Dental, Inc.', ein: '12-3456789' };

/** A recipient that no scenario knows. */
export const SOMEONE = '+12125550147';

export const order = (client: Client, body: object = { area_code: '212' }, headers = {}): Promise<Answer> =>
  client.post(NUMBERS, body, headers);

/** Orders a number and advances the clock until it is active. */
export async function activeNumber(
  client: Client,
  world: Pick<SandboxWorld, 'clock'>,
  body?: object,
): Promise<Answer['body']> {
  const { id } = dataOf(await order(client, body), 201);
  await world.clock.advance('8s');
  const number = dataOf(await client.get(`${NUMBERS}/${id}`));
  expect(number.is_active).toBe(true);
  return number;
}

export const registerBrand = (client: Client, headers = {}): Promise<Answer> =>
  client.post(BRAND, BRAND_DETAILS, headers);

export const registerCampaign = (client: Client, more: object = {}, headers = {}): Promise<Answer> =>
  client.post(CAMPAIGNS, { use_case: 'customer_care', ...more }, headers);

/** Registers a brand and advances the clock until it is approved. */
export async function approveBrand(client: Client, world: Pick<SandboxWorld, 'clock'>): Promise<Answer['body']> {
  dataOf(await registerBrand(client, playing('registration_approved')), 201);
  await world.clock.advance('60s');
  const brand = dataOf(await client.get(BRAND));
  expect(brand.status).toBe('approved');
  return brand;
}

export const text = (client: Client, more: object = {}, headers = {}): Promise<Answer> =>
  client.post(
    `${MESSAGES}/send`,
    { to_number: SOMEONE, body: 'Your appointment is tomorrow at ten.', ...more },
    headers,
  );
