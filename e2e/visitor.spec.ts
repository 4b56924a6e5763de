import { randomBytes, randomUUID } from 'node:crypto'
import { withDatabase } from './kit/database.ts'
import { linkTo } from './kit/outbox.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  isAt,
  isTitled,
  linkIn,
  mainSays,
  press,
  reads,
  regionIn,
  showsError,
  showsValue,
} from './kit/parts.ts'
import { isSought, newPerson, password } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a visitor checks coverage and cost, and goes on to sign up with their code', { tag: '@plain' }, async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/signin')
  await follow(page, 'Cómo funciona y cuánto cuesta')
  await isTitled(page, 'Tu cargador, instalado en casa')
  await page.goto('/approach?codigo=abc234')
  await page.getByLabel('Código postal').fill('5214')
  await press(page, 'Revisar')
  await showsError(page, 'Código postal', 'El código postal tiene 5 dígitos.')
  await page.getByLabel('Código postal').fill('52140')
  await press(page, 'Revisar')
  await reads(page, 'Todavía no llegamos al 52140')
  await follow(page, /^Mi domicilio sí está en/)
  await reads(page, 'Por verificar')
  await page.getByLabel('Metros del tablero al cargador').fill('25')
  await page.getByLabel('Necesito un segundo medidor').check()
  if (!javaScriptEnabled) await press(page, 'Calcular')
  await isAt(page, /metros=25/)
  await expect(regionIn(page, '¿Cuánto cuesta, más o menos?')).toContainText('Estimado, con IVA')
  // The answer of one question outlives the other.
  await reads(page, 'Por verificar')
  await page.getByLabel('Código postal').fill('03100')
  await press(page, 'Revisar')
  await reads(page, 'Sí, llegamos a Benito Juárez')
  await linkIn(page, 'Agendar mi visita', exact).first().click()
  await isAt(page, '/signup?codigo=ABC234')
})

test('a visitor corrects a wrong code, signs up with it and sees its discount', async ({ arrive }) => {
  const code = await newCode()
  const visitor = await arrive()
  await visitor.goto(`/approach?codigo=${code}`)
  await reads(visitor, `con el código ${code}`)
  await visitor.goto('/signup')
  const field = visitor.getByLabel('Código de tu concesionaria')
  await expect(field).toHaveValue(code)
  await fillForm(visitor, {
    'Correo electrónico': `persona-${randomUUID()}@example.mx`,
    Contraseña: password,
  })
  await field.fill('zzzz 9999')
  await press(visitor, 'Crear cuenta')
  await expect(field).toHaveAccessibleDescription(/Ese código no existe/)
  await showsValue(visitor, 'Correo electrónico', /^persona-/)
  await visitor.getByLabel('Contraseña').fill(password)
  await field.fill(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase())
  await press(visitor, 'Crear cuenta')
  await isAt(visitor, '/completion')
  await reads(visitor, `Tu código ${code}: 10 % de descuento`)
  await fillForm(visitor, { Nombre: 'Ana', Apellidos: 'Prueba', Teléfono: '55 1234-5678' })
  await press(visitor, 'Guardar')
  await isAt(visitor, '/')
  await visitor.goto('/quote')
  await reads(visitor, `Tu código ${code}: 10 % de descuento`)
  await expect(visitor.getByText('¿Tienes un código?')).toBeHidden()
})

/** An active code of the demo's ally that takes ten percent off. */
async function newCode(): Promise<string> {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const code = [...randomBytes(8)].map((byte) => letters[byte % letters.length]).join('')
  await withDatabase((client) =>
    client.query(
      `insert into codes (code, agency_id, owner_id, benefit_kind, benefit_value, starts_on, max_uses, state)
       select $1, agency_id, id, 'percent', 1000, '2026-01-01', 10, 'active' from users where email = 'aliado@demo.mx'`,
      [code],
    ),
  )
  return code
}

test('a visitor who signs up reads each error under its field', async ({ page }) => {
  const email = page.getByLabel('Correo electrónico')
  const password = page.getByLabel('Contraseña')
  const send = buttonIn(page, 'Crear cuenta')
  await page.goto('/signup')
  await send.click()
  await isSought(page, email)
  await expect(email).toHaveAccessibleDescription(/Escribe tu correo electrónico\./)
  await expect(password).toHaveAccessibleDescription(/Escribe tu contraseña\./)
  await email.fill('nadie@nada')
  await password.fill('corta')
  await send.click()
  await expect(email).toHaveAccessibleDescription(/Escribe un correo válido/)
  await expect(email).toHaveValue('nadie@nada')
  await expect(password).toHaveAccessibleDescription(/Usa al menos 8 caracteres\./)
  await email.fill('cliente@demo.mx')
  await password.fill('una frase larga')
  await send.click()
  await expect(email).toHaveAccessibleDescription(/Ya hay una cuenta con este correo/)
  await isSought(page, email)
  await expect(email).toHaveValue('cliente@demo.mx')
})

test('a visitor sets a new password by e-mail, and the old one is refused', { tag: '@plain' }, async ({
  page,
  arrive,
}) => {
  const email = await newPerson(page)
  const elsewhere = await arrive()
  await elsewhere.goto('/signin')
  await follow(elsewhere, '¿Olvidaste tu contraseña?')
  await press(elsewhere, 'Enviar enlace')
  const box = elsewhere.getByLabel('Correo electrónico')
  await expect(box).toHaveAccessibleDescription(/Escribe tu correo electrónico\./)
  await box.fill(email)
  await press(elsewhere, 'Enviar enlace')
  await isTitled(elsewhere, 'Revisa tu correo')
  const link = await linkTo(email, 'Cambia tu contraseña')
  await elsewhere.goto(link)
  await reads(elsewhere, `Para ${email}`)
  const chosen = elsewhere.getByLabel('Contraseña nueva')
  await chosen.fill('12345678')
  await press(elsewhere, 'Guardar contraseña')
  await expect(chosen).toHaveAccessibleDescription(/es muy común/)
  await chosen.fill('otra frase larga')
  await press(elsewhere, 'Guardar contraseña')
  await isAt(elsewhere, /\/signin(\?|$)/)
  await expectToast(elsewhere, 'Tu contraseña cambió')
  // The browser that was signed in is out, and what was good is good no more.
  await page.goto('/')
  await isAt(page, /signin/)
  for (const [secret, ends] of [
    [password, /signin/],
    ['otra frase larga', /\/$/],
  ] as const) {
    await fillForm(elsewhere, { 'Correo electrónico': email, Contraseña: secret })
    await press(elsewhere, 'Iniciar sesión')
    if (secret === password) await mainSays(elsewhere, 'no son correctos')
    await expect(elsewhere).toHaveURL(ends)
  }
  await page.goto(link)
  await isTitled(page, 'Este enlace ya se usó')
  await page.getByLabel('Correo electrónico').fill(email)
  await press(page, 'Enviar enlace')
  await isTitled(page, 'Revisa tu correo')
})

test('a visitor at an unknown address is led to the sign-in', async ({ page }) => {
  expect((await page.goto('/nada/de/nada'))?.status()).toBe(404)
  await isTitled(page, 'No encontramos esta página')
  await expect(linkIn(page, 'Pedir ayuda')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await follow(page, 'Ir al inicio')
  await isAt(page, /\/signin(\?|$)/)
})
