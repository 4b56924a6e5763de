import { randomBytes, randomUUID } from 'node:crypto'
import { withDatabase } from './kit/database.ts'
import { linkTo } from './kit/outbox.ts'
import { isSought, newPerson, password } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a visitor checks coverage and cost, and goes on to sign up with their code', { tag: '@plain' }, async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto('/signin')
  await page.getByRole('link', { name: 'Cómo funciona y cuánto cuesta' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tu cargador, instalado en casa')
  await page.goto('/approach?codigo=abc234')
  await page.getByLabel('Código postal').fill('5214')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByLabel('Código postal')).toHaveAccessibleDescription(
    'El código postal tiene 5 dígitos.',
  )
  await page.getByLabel('Código postal').fill('52140')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByText('Todavía no llegamos al 52140')).toBeVisible()
  await page.getByRole('link', { name: /^Mi domicilio sí está en/ }).click()
  await expect(page.getByText('Por verificar')).toBeVisible()
  await page.getByLabel('Metros del tablero al cargador').fill('25')
  await page.getByLabel('Necesito un segundo medidor').check()
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Calcular' }).click()
  await expect(page).toHaveURL(/metros=25/)
  await expect(page.getByRole('region', { name: '¿Cuánto cuesta, más o menos?' })).toContainText(
    'Estimado, con IVA',
  )
  // The answer of one question outlives the other.
  await expect(page.getByText('Por verificar')).toBeVisible()
  await page.getByLabel('Código postal').fill('03100')
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(page.getByText('Sí, llegamos a Benito Juárez')).toBeVisible()
  await page.getByRole('link', { name: 'Agendar mi visita', exact: true }).first().click()
  await expect(page).toHaveURL('/signup?codigo=ABC234')
})

test('a visitor corrects a wrong code, signs up with it and sees its discount', async ({ arrive }) => {
  const code = await newCode()
  const visitor = await arrive()
  await visitor.goto(`/approach?codigo=${code}`)
  await expect(visitor.getByText(`con el código ${code}`)).toBeVisible()
  await visitor.goto('/signup')
  const field = visitor.getByLabel('Código de tu concesionaria')
  await expect(field).toHaveValue(code)
  await visitor.getByLabel('Correo electrónico').fill(`persona-${randomUUID()}@example.mx`)
  await visitor.getByLabel('Contraseña').fill(password)
  await field.fill('zzzz 9999')
  await visitor.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(field).toHaveAccessibleDescription(/Ese código no existe/)
  await expect(visitor.getByLabel('Correo electrónico')).toHaveValue(/^persona-/)
  await visitor.getByLabel('Contraseña').fill(password)
  await field.fill(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase())
  await visitor.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(visitor).toHaveURL('/completion')
  await expect(visitor.getByText(`Tu código ${code}: 10 % de descuento`)).toBeVisible()
  await visitor.getByLabel('Nombre').fill('Ana')
  await visitor.getByLabel('Apellidos').fill('Prueba')
  await visitor.getByLabel('Teléfono').fill('55 1234-5678')
  await visitor.getByRole('button', { name: 'Guardar' }).click()
  await expect(visitor).toHaveURL('/')
  await visitor.goto('/quote')
  await expect(visitor.getByText(`Tu código ${code}: 10 % de descuento`)).toBeVisible()
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
  const [email, password] = [page.getByLabel('Correo electrónico'), page.getByLabel('Contraseña')]
  const send = page.getByRole('button', { name: 'Crear cuenta' })
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

test('a visitor with a wrong password reads the same refusal for known and unknown e-mails', async ({
  page,
}) => {
  await page.goto('/signin')
  for (const email of ['cliente@demo.mx', `nadie-${randomUUID()}@demo.mx`]) {
    await page.getByLabel('Correo electrónico').fill(email)
    await page.getByLabel('Contraseña').fill('no es esta')
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
    const main = page.getByRole('main')
    await expect(main.getByText('El correo o la contraseña no son correctos.')).toBeVisible()
    await expect(page.getByLabel('Correo electrónico')).toHaveValue(email)
  }
})

test('a visitor sets a new password by e-mail, and the old one is refused', { tag: '@plain' }, async ({
  page,
  arrive,
}) => {
  const email = await newPerson(page)
  const elsewhere = await arrive()
  await elsewhere.goto('/signin')
  await elsewhere.getByRole('link', { name: '¿Olvidaste tu contraseña?' }).click()
  await elsewhere.getByRole('button', { name: 'Enviar enlace' }).click()
  const box = elsewhere.getByLabel('Correo electrónico')
  await expect(box).toHaveAccessibleDescription(/Escribe tu correo electrónico\./)
  await box.fill(email)
  await elsewhere.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Revisa tu correo')
  const link = await linkTo(email, 'Cambia tu contraseña')
  await elsewhere.goto(link)
  await expect(elsewhere.getByText(`Para ${email}`)).toBeVisible()
  const chosen = elsewhere.getByLabel('Contraseña nueva')
  await chosen.fill('12345678')
  await elsewhere.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(chosen).toHaveAccessibleDescription(/es muy común/)
  await chosen.fill('otra frase larga')
  await elsewhere.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(elsewhere).toHaveURL(/\/signin(\?|$)/)
  await expectToast(elsewhere, 'Tu contraseña cambió')
  // The browser that was signed in is out, and what was good is good no more.
  await page.goto('/')
  await expect(page).toHaveURL(/signin/)
  for (const [secret, ends] of [
    [password, /signin/],
    ['otra frase larga', /\/$/],
  ] as const) {
    await elsewhere.getByLabel('Correo electrónico').fill(email)
    await elsewhere.getByLabel('Contraseña').fill(secret)
    await elsewhere.getByRole('button', { name: 'Iniciar sesión' }).click()
    if (secret === password) await expect(elsewhere.getByRole('main')).toContainText('no son correctos')
    await expect(elsewhere).toHaveURL(ends)
  }
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Este enlace ya se usó')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByRole('button', { name: 'Enviar enlace' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Revisa tu correo')
})

test('a visitor at an unknown address is led to the sign-in', async ({ page }) => {
  expect((await page.goto('/nada/de/nada'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No encontramos esta página')
  await expect(page.getByRole('link', { name: 'Pedir ayuda' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.getByRole('link', { name: 'Ir al inicio' }).click()
  await expect(page).toHaveURL(/\/signin(\?|$)/)
})
