import { parseEnv } from '../../../src/app/env.ts'

const both = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }

test('cards in the environment are off by default', () => expect(parseEnv({}).cards).toBeNull())

test('cards in the environment reads key and signing secret, with or without months without interest', () => {
  const plain = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', api: null, installments: false }
  expect(parseEnv(both).cards).toEqual(plain)
  expect(parseEnv({ ...both, CARD_MSI: 'true' }).cards).toEqual({ ...plain, installments: true })
})

test.each([
  ['a key alone', { STRIPE_SECRET_KEY: 'sk_test_x' }, /together/],
  ['a signing secret alone', { STRIPE_WEBHOOK_SECRET: 'whsec_x' }, /together/],
  ['months without interest alone', { CARD_MSI: 'true' }, /together/],
  ['a public key', { ...both, STRIPE_SECRET_KEY: 'pk_live_x' }, /STRIPE_SECRET_KEY.*secret key/],
  ['another secret', { ...both, STRIPE_WEBHOOK_SECRET: 'sk_x' }, /STRIPE_WEBHOOK_SECRET.*whsec/],
  ['the key in the clear', { ...both, STRIPE_API_URL: 'http://stripe.example' }, /must be https/],
])('cards in the environment refuses %s', (_what, source, words) =>
  expect(() => parseEnv(source)).toThrow(words),
)
