import { randomUUID } from 'node:crypto'
import { completeProfile, isSought, newPerson, signIn, signUp, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('signing up says what is wrong, under its field', { tag: ['@plain', '@once'] }, async ({ page }) => {
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

test('a wrong sign-in is the same for known and unknown e-mails', { tag: ['@plain', '@once'] }, async ({
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

test('profile and address keep what was typed', { tag: ['@plain', '@once'] }, async ({ page }) => {
  await signUp(page)
  await page.getByLabel('Nombre').fill('Ana')
  await page.getByLabel('Teléfono').fill('123')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await isSought(page, page.getByLabel('Apellidos'))
  await expect(page.getByLabel('Apellidos')).toHaveAccessibleDescription(/Escribe tus apellidos\./)
  await expect(page.getByLabel('Teléfono')).toHaveAccessibleDescription(/10 dígitos de tu teléfono/)
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana')
  await completeProfile(page, 'Ana', 'Prueba')

  await page.goto('/address')
  await page.getByLabel('Código postal', { exact: true }).fill('031')
  await page.getByLabel('Calle', { exact: true }).fill('Londres')
  await page.getByLabel('Tipo de vivienda').selectOption('Departamento')
  await page.getByRole('button', { name: 'Guardar' }).click()
  const postalCode = page.getByLabel('Código postal', { exact: true })
  await isSought(page, postalCode)
  await expect(postalCode).toHaveAccessibleDescription(/El código postal tiene 5 dígitos\./)
  await expect(postalCode).toHaveValue('031')
  await expect(page.getByLabel('Calle', { exact: true })).toHaveValue('Londres')
  await expect(page.getByLabel('Tipo de vivienda')).toHaveValue('apartment')
  await expect(page.getByLabel('Estacionamiento')).toHaveAccessibleDescription(
    /Elige el tipo de estacionamiento\./,
  )
})

test('a wrong field inside a folded part is unfolded', { tag: ['@plain', '@once'] }, async ({
  page,
  javaScriptEnabled,
}) => {
  await newPerson(page)
  await page.goto('/address')
  await page.getByLabel('Código postal', { exact: true }).fill('52140')
  // With a script the code's answer opens it.
  if (!javaScriptEnabled) await page.locator('summary', { hasText: '¿Sí estás en Toluca' }).click()
  await page.getByLabel('Mi domicilio sí está en Toluca').check()
  const fields = { Colonia: 'Centro', Calle: 'Juárez', 'Número exterior': '1' }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Tipo de vivienda').selectOption('Casa')
  await page.getByLabel('Estacionamiento').selectOption('Compartido')
  await page.getByRole('button', { name: 'Guardar' }).click()
  const municipality = page.getByLabel('Municipio', { exact: true })
  await isSought(page, municipality)
  await expect(municipality).toHaveAccessibleDescription(/Elige Toluca, Lerma/)
  await municipality.selectOption('Toluca')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(toastOn(page, 'Guardamos tu domicilio')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Por verificar')
})

test('what a redirect says is said once', { tag: ['@plain', '@once'] }, async ({ page, onPhone }) => {
  await signIn(page, 'gestor@demo.mx')
  if (onPhone) await page.getByLabel('Abrir el menú').click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(toastOn(page, 'Cerraste tu sesión')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciar sesión')
  await expect(toastOn(page, 'Cerraste tu sesión')).toHaveCount(0)
})
