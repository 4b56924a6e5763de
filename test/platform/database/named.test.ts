import { named } from '../../../src/platform/database/lists.ts'

test('numbers named parameters by their first use, and leaves casts', () => {
  const values = { b: 2, a: 1 }
  expect(named('select :a::int, :b, :a', values)).toEqual({ text: 'select $1::int, $2, $1', values: [1, 2] })
})

test('refuses a statement whose value is missing', () => {
  expect(() => named('select :a', {})).toThrow('lacks a value for :a')
})
