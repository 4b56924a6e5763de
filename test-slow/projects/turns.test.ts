// Enough walks to come to the turns that few walks come to.
process.env.ROUNDS = '20'
await import('../../test/projects/turns.test.ts')

export {}
