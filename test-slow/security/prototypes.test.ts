import { readFileSync } from 'node:fs'
import { screens } from '../../src/access/rules/routes.ts'
import { everyModule } from '../../test/kit/fixture.ts'
import { fixture, openBare, post, realClockAfterEach } from '../../test/kit/open.ts'
import { dataPath } from '../../test/kit/visitor.ts'
import { asked } from '../../test/security/asked.ts'
import { every } from '../../test/security/attempts.ts'
import { everyone, openEveryoneOnce, type Who } from '../../test/security/everyone.ts'

// What objects have by themselves is found under names that anybody may send: nothing may be looked up by them.
openBare(everyModule)
openEveryoneOnce()
realClockAfterEach()

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
const allowed = every.filter(({ action }) => action.may)

describe('every field of every form, and what it is called', () => {
  test.each(allowed)('$file: $name', async ({ action }) => {
    const who = Object.keys(action.may!)[0] as Who
    const { form, path } = await action.attempt(everyone)
    const right = form as Record<string, string>
    const send = async (odd: Record<string, string>) => {
      const { status } = await post(dataPath(path), odd, everyone[who])
      expect([odd, status]).toEqual([odd, expect.toSatisfy((one: number) => one < 500)])
    }
    for (const [n, field] of Object.keys(right).entries()) {
      // The page draws the answer too: it looks things up by what came back.
      const page = await post(path, { ...right, [field]: '__proto__' }, everyone[who])
      expect([field, page.status]).toEqual([field, expect.toSatisfy((one: number) => one < 500)])
      await send({ ...right, [field]: names[n % names.length]! })
    }
    const more = names.flatMap((name) => [`choice.${name}`, `seen.${name}`, `revision.${name}`, name])
    await send({ ...right, ...Object.fromEntries(more.map((name) => [name, '1'])) })
    expect(({} as Record<string, unknown>).role).toBeUndefined()
  })
})

describe('every parameter of every screen, and every part of an address', () => {
  const readers: Who[] = ['anonymous', 'customer', 'manager', 'analyst', 'technician', 'gester', 'ally']
  test.each(screens.map(({ path }) => path))('%s', async (path) => {
    for (const [n, who] of readers.entries()) {
      const name = names[n % names.length]!
      const address = path.replace('{id}', name)
      const query = [...new Set(asked)].map((one) => `${one}=${name}`).join('&')
      const { status } = await fixture.visit(`${address}?${query}`, everyone[who])
      expect([who, address, status]).toEqual([who, address, expect.toSatisfy((one: number) => one < 500)])
    }
  })

  test('outside the screens', async () => {
    const source = readFileSync('src/routes.ts', 'utf8')
    const outside = [...source.matchAll(/^ {2}route\('([^']*:\w+[^']*)'/gm)].map(([, path]) => `/${path}`)
    outside.push('/files/:id/full', '/documents/:id', '/onsite/:id/answers', '/v1/session/:operation')
    expect(outside.length).toBeGreaterThan(10)
    for (const pattern of outside)
      for (const name of names) {
        const address = pattern.replace(/:\w+/g, name)
        for (const who of ['manager', 'technician'] as const) {
          const { status } = await fixture.visit(address, everyone[who])
          expect([address, status]).toEqual([
            address,
            expect.toSatisfy((one: number) => one < 500 || one === 501),
          ])
        }
      }
  })
})
