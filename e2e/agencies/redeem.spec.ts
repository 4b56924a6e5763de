import { randomBytes, randomUUID } from 'node:crypto'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { password } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('somebody follows a link, corrects the code, signs up with it and sees what it gives', {
  tag: ['@plain', '@inHand'],
}, async ({ arrive, javaScriptEnabled }) => {
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
  if (javaScriptEnabled !== false) await findsNothing(visitor, 'a quote with a code')
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
