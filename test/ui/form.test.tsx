import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { Checkbox, Field } from '../../src/kit/form/field.tsx'
import { Form, type FormResult } from '../../src/kit/form/form.tsx'
import { RadioCards } from '../../src/kit/form/radio-cards.tsx'
import { ActionBar } from '../../src/ui/button.tsx'
import { expectWords } from '../kit/reading.ts'
import { sourcesOf } from '../sources.ts'

const options = [{ value: 'a', label: 'A' }]

/** A form of three fields with its bar, as the server draws it after an answer. */
function drawn(given: Partial<FormResult>): string {
  const element = (
    <Form result={{ errors: {}, values: {}, refusal: null, ...given }}>
      <Field label="Nombre" name="name" />
      <RadioCards label="Opción" name="option" options={options} value={null} />
      <Checkbox label="De acuerdo" name="agreed" />
      <ActionBar>
        <p>Elige una opción.</p>
      </ActionBar>
    </Form>
  )
  return renderToString(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
}

/** The words above the fields: of the whole form, and the list of those without JavaScript. */
const above = (html: string) =>
  [...html.matchAll(/<div role="alert"(.*?)<input type="hidden" name="formKey"/gs)].map(([whole]) => whole)

test('a form shows an error at its field, in the list and in the bar', () => {
  const html = drawn({ errors: { option: 'Elige una opción.', agreed: 'Marca la casilla.' } })
  const links = [...html.matchAll(/<a href="#([^"]+)" class="inline-flex[^>]*>([^<]+)</g)]
  expect(links.map(([, , words]) => words)).toEqual(['Elige una opción.', 'Marca la casilla.'])
  for (const [, id] of links) expect(html).toContain(`id="${id}"`)
  expect(html.match(/id="[^"]+-error"/g)).toHaveLength(2)
  expect(html.match(/aria-invalid="true"/g)!.length).toBeGreaterThanOrEqual(2)
  expect(html).toMatch(/data-wrong.*Falta: elige una opción\./s)
})

test('a form keeps a typed value that is wrong', () => {
  const html = drawn({ errors: { name: 'Usa letras.' }, values: { name: '123' } })
  expect(html).toMatch(/data-wrong.*<\/svg>Usa letras\./s)
})

test('a form shows a refusal that repeats its fields at them only', () => {
  const refusal = { title: 'Ya existe', description: 'Ya hay uno.', atFields: true }
  const html = drawn({ errors: { name: 'Ya hay uno.' }, values: { name: 'Ana' }, refusal })
  expect(html).not.toContain('Ya existe')
  expect(html.match(/Ya hay uno\./g)).toHaveLength(3)
})

test('a form shows a refusal of the whole form above it, once', () => {
  const html = drawn({ refusal: { title: 'Hubo un cambio', description: 'Alguien lo cambió.' } })
  expect(html.match(/Alguien lo cambió\./g)).toHaveLength(1)
  expect(above(html).join()).toContain('Hubo un cambio')
  expect(html).not.toContain('data-wrong')
})

test('a form shows a refusal with wrong fields as one notice', () => {
  const refusal = { title: 'Revisa lo marcado', description: 'Lo demás ya quedó guardado.' }
  const html = drawn({ errors: { name: 'Usa letras.' }, values: { name: '1' }, refusal })
  expect(above(html)).toHaveLength(1)
  expect(above(html)[0]!.match(/role="alert"/g)).toHaveLength(1)
  expectWords(above(html)[0]!, 'Revisa lo marcado', 'Lo demás ya quedó guardado.', 'Usa letras.')
})

test('a form shows no stale hidden field beside the form’s own words', () => {
  const words = 'Este formulario ya no sirve. Vuelve a abrir la página.'
  const refusal = { title: 'Revisa los datos', description: words }
  expect(drawn({ errors: { version: words }, refusal }).match(/Vuelve a abrir la página\./g)).toHaveLength(1)
})

const files = sourcesOf('screens')

test('every field has the id by which its form finds it', () => {
  const own = files.filter(({ text }) => /<FieldNotes[^>]*\bid=(?:"|\{[`'])/.test(text))
  expect(own.map(({ file }) => file)).toEqual([])
  expect(files.filter(({ text }) => text.includes('<FieldNotes')).length).toBeGreaterThan(10)
})

test('toasts tell only refusals that have no place on the screen', () => {
  const raise = files.filter(({ text }) => /variant: 'destructive'/.test(text)).map(({ file }) => file)
  expect(raise.toSorted()).toEqual([
    // A link that needs the network.
    'accounts/screens/drafts.ts',
    // What the browser's own window came back with.
    'accounts/screens/passkeys/passkey-button.tsx',
    'accounts/screens/provider-form.tsx',
    'accounts/screens/sign-out-form.tsx',
    'dispatch/screens/assignations.tsx',
    'offline/held-forms.ts',
    'offline/use-draft.ts',
  ])
})
