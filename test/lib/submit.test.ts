import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newCodeInput } from '../../src/domain/agencies/referral-schema.ts'
import { apiKeyInput } from '../../src/domain/agencies/schema.ts'
import { officePaymentInput } from '../../src/domain/payments/schema.ts'
import { refuse } from '../../src/domain/shared/refusal.ts'
import { inviteInput, ownTimeOffInput } from '../../src/domain/users/schema.ts'
import { redirectWithToast } from '../../src/web/lib/flash.ts'
import { type Failure, submit } from '../../src/web/lib/submit.ts'

const schema = z
  .object({ email: z.email('Escribe tu correo.'), password: z.string().min(8, 'Usa al menos 8 caracteres.') })
  .refine(({ password, email }) => password !== email, 'La contraseña no puede ser tu correo.')

function post(fields: [string, string | File][]) {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  return new Request('http://localhost/signup', { method: 'POST', body })
}
const good: [string, string][] = [
  ['email', 'ana@demo.mx'],
  ['password', 'una larga'],
]
const dates = { startsOn: '2026-03-10', endsOn: '2026-03-05', benefitKind: 'none' }
const never = () => Promise.reject(new Error('must not run'))

describe('submit', () => {
  test('a good form runs with what it holds, and its result is the answer', async () => {
    expect(await submit(post(good), schema, async (input) => input)).toEqual({
      email: 'ana@demo.mx',
      password: 'una larga',
    })
  })

  test('a wrong form answers 400 with a message under each field and what was typed, passwords excepted', async () => {
    const answer = await submit(
      post([
        ['email', 'ana@'],
        ['password', 'corta'],
      ]),
      schema,
      never,
    )
    expect(answer).toMatchObject({
      init: { status: 400 },
      data: {
        errors: { email: 'Escribe tu correo.', password: 'Usa al menos 8 caracteres.' },
        values: { email: 'ana@' },
        refusal: null,
      },
    })
    expect(JSON.stringify(answer)).not.toContain('corta')
  })

  test('a message about the whole form stands above it', async () => {
    const same: [string, string][] = [
      ['email', 'ana@demo.mx'],
      ['password', 'ana@demo.mx'],
    ]
    expect(await submit(post(same), schema, never)).toMatchObject({
      data: { errors: {}, refusal: { description: 'La contraseña no puede ser tu correo.' } },
    })
  })

  test('a refusal answers with its status, its words and its fields', async () => {
    const answer = await submit(post(good), schema, async () =>
      refuse('already-exists', 'Ese correo ya tiene cuenta.', { errors: { email: 'Ya tiene cuenta.' } }),
    )
    expect(answer).toMatchObject({
      init: { status: 409 },
      data: {
        errors: { email: 'Ya tiene cuenta.' },
        refusal: {
          code: 'already-exists',
          title: 'No pudimos guardarlo',
          description: 'Ese correo ya tiene cuenta.',
        },
      },
    })
  })

  test('a refusal for want of rights takes the place of the screen, whose form may not be there', async () => {
    const answer = submit(post(good), schema, async () => refuse('permission-denied'))
    await expect(answer).rejects.toMatchObject({
      init: { status: 403 },
      data: { title: 'No tienes permiso' },
    })
  })

  test('what is wrong with a field that nobody sees is said above the form', async () => {
    const stale = z.object({ requestKey: z.uuid() })
    expect(await submit(post([['requestKey', 'x']]), stale, never)).toMatchObject({
      init: { status: 400 },
      data: {
        refusal: {
          code: 'invalid-argument',
          description: expect.stringContaining('Vuelve a abrir la página'),
        },
      },
    })
  })

  test('a bug is not an answer', async () => {
    await expect(submit(post(good), schema, never)).rejects.toThrow('must not run')
  })

  test('the last of repeated fields counts, and files do not', async () => {
    const fields: [string, string | File][] = [['email', 'x'], ...good, ['email', new File(['x'], 'x.txt')]]
    expect(await submit(post(fields), schema, async ({ email }) => email)).toBe('ana@demo.mx')
  })

  test('a body that is no form has no fields', async () => {
    const request = new Request('http://localhost/signup', { method: 'POST', body: '{}' })
    expect(await submit(request, schema, never)).toMatchObject({ init: { status: 400 } })
  })

  test('what the schema can’t see is said with what it sees, and with a refusal at a field', async () => {
    const before = async () => ({ file: 'Elige un archivo.', password: 'No sirve.' })
    const wrong: [string, string][] = [
      ['email', 'ana@'],
      ['password', 'corta'],
    ]
    expect(await submit(post(wrong), schema, never, before)).toMatchObject({
      data: {
        errors: {
          email: 'Escribe tu correo.',
          password: 'Usa al menos 8 caracteres.',
          file: 'Elige un archivo.',
        },
      },
    })
    const taken = async () => refuse('already-exists', 'Ya existe.', { errors: { email: 'Ya existe.' } })
    expect(await submit(post(good), schema, taken, before)).toMatchObject({
      data: { errors: { email: 'Ya existe.', file: 'Elige un archivo.', password: 'No sirve.' } },
    })
    expect(await submit(post(good), schema, async () => 'done', before)).toBe('done')
  })

  test('a refusal that says no more than its fields is theirs', async () => {
    const answers = [
      [undefined, { errors: { email: 'Ya existe.' } }],
      ['Ya existe.', { errors: { email: 'Ya existe.' } }],
      ['Ana tiene otra cita.', { errors: { email: 'Escribe por qué.' } }],
      ['Ana tiene otra cita.', undefined],
    ] as const
    const theirs = []
    for (const [words, details] of answers) {
      const answer = await submit(post(good), schema, async () => refuse('already-exists', words, details))
      theirs.push((answer as { data: Failure }).data.refusal?.atFields ?? false)
    }
    expect(theirs).toEqual([true, true, false, false])
  })

  test.each([
    ['an invitation', inviteInput, { kind: 'alliate' }, ['email', 'agencyId']],
    ['a key', apiKeyInput, {}, ['name', 'life', 'clients:write']],
    ['a code', newCodeInput(new Date('2026-03-02T18:00:00Z')), dates, ['codeText', 'maxUses', 'endsOn']],
    ['time off', ownTimeOffInput['time-off-ask'], { from: '2026-03-05', to: '2026-03-04' }, ['to', 'reason']],
    [
      'a payment',
      officePaymentInput(new Date('2026-03-02T18:00:00Z'))['record-payment'],
      { method: 'spei' },
      ['amount', 'bank', 'trackingKey'],
    ],
  ])('%s: a rule over some fields does not wait for the others', (_, asked, sent, wrong) => {
    const found = asked.safeParse(sent).error?.issues.map(({ path }) => path.join('.'))
    expect(found).toEqual(expect.arrayContaining(wrong))
  })

  test('a redirect with a toast keeps the cookies that it is given', async () => {
    const answer = await submit(post(good), schema, () =>
      redirectWithToast('/', 'Hola', 'Pasa.', 'success', { 'set-cookie': 'session=1' }),
    )
    expect(answer).toMatchObject({ status: 303 })
    expect((answer as Response).headers.getSetCookie()).toEqual([
      'session=1',
      expect.stringContaining('flash='),
    ])
  })
})
