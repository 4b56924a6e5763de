import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { addItem, type EditedItem, editedCatalogue, editItem } from '../../quotes/catalogue.ts'
import { chargedKinds, ivaLabels, ivaRates, quoteLimits } from '../../quotes/rules/content.ts'
import { catalogueForms } from '../../quotes/rules/schema.ts'
import { unitPriceText } from '../../shared/money.ts'
import { refuse } from '../../shared/refusal.ts'
import { ActionBar, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { newItem, settingsPages, settingsPath } from '../rules/pages.ts'
import type { Route } from './+types/catalogue-item.ts'
import { configuring, readSettings, saved } from './configuring.ts'
import { PageFrame } from './page-frame.tsx'

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params: { code } }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { events, wasSaved } = await readSettings(context, 'catalogue')
    if (code === newItem) return { events, item: null, wasSaved }
    const items = await editedCatalogue(requestOf(context).db)
    return { events, wasSaved, item: items.find((one) => one.code === code) ?? refuse('not-found') }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor } = configuring(context)
  return {
    'settings.catalogue.add': form(catalogueForms['settings.catalogue.add'], async (input) => {
      await addItem(db, actor, input)
      const then = 'Ya la puedes usar en tus cotizaciones.'
      return redirectWithToast(settingsPath('catalogue'), 'Agregamos la partida', then)
    }),
    'settings.catalogue.edit': form(catalogueForms['settings.catalogue.edit'], async (input) => {
      await editItem(db, actor, input)
      return saved('catalogue')
    }),
  }
})

export default function CatalogueItem({ loaderData: { events, item } }: Route.ComponentProps) {
  return (
    <PageFrame
      page="catalogue"
      events={events}
      back={{ to: settingsPath('catalogue'), label: settingsPages.catalogue.title }}
    >
      <ItemForm key={item?.code} item={item} />
    </PageFrame>
  )
}

/** One item of the catalogue, null to add it; its code is set once, since the rules refer to it. */
function ItemForm({ item }: { item: EditedItem | null }) {
  const intent = item ? 'settings.catalogue.edit' : 'settings.catalogue.add'
  const result = useFormResult(intent)
  const confirm = (result?.refusal?.details as { confirm?: { amount: number } } | undefined)?.confirm
  return (
    <Form intent={intent} version={item?.version}>
      {confirm && <input type="hidden" name="sure" value={confirm.amount} />}
      {item && <input type="hidden" name="code" value={item.code} />}
      <Card title={item ? `Partida ${item.code}` : 'Partida nueva'}>
        {!item && (
          <Field
            label="Clave"
            name="code"
            autoComplete="off"
            maxLength={20}
            help="No se puede cambiar después."
          />
        )}
        <ItemFields item={item} />
        <Checkbox label="Se usa en cotizaciones nuevas" name="active" defaultChecked={item?.active ?? true} />
      </Card>
      <ActionBar className="grid-cols-2">
        <Submit>{confirm ? 'Sí, guardar' : item ? 'Guardar' : 'Agregar'}</Submit>
        <LinkButton variant="ghost" to={settingsPath('catalogue')} className="px-2">
          Volver al catálogo
        </LinkButton>
      </ActionBar>
    </Form>
  )
}

function ItemFields({ item }: { item: EditedItem | null }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        className="sm:col-span-2"
        label="Descripción"
        name="description"
        autoComplete="off"
        maxLength={quoteLimits.description}
        defaultValue={item?.description ?? ''}
      />
      <Field
        label="Precio por unidad, sin IVA"
        name="unitPrice"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={item ? unitPriceText(item.unitPrice) : ''}
        help="Hasta cuatro decimales."
      />
      <Field
        label="Costo por unidad, sin IVA"
        name="unitCost"
        optional
        inputMode="decimal"
        autoComplete="off"
        defaultValue={item?.unitCost == null ? '' : unitPriceText(item.unitCost)}
        help="Solo lo ve la gerencia: nadie más envía una cotización por debajo del costo."
      />
      <Field
        label="Unidad"
        name="unit"
        autoComplete="off"
        maxLength={quoteLimits.unit}
        defaultValue={item?.unit ?? 'pieza'}
        help="Por ejemplo m, pieza o servicio."
      />
      <Select
        label="Tipo"
        name="kind"
        options={options(chargedKinds)}
        defaultValue={item?.kind ?? 'material'}
      />
      <Select
        label="IVA"
        name="iva"
        options={ivaRates.map((rate) => ({ value: String(rate), label: ivaLabels[rate] }))}
        defaultValue={String(item?.iva ?? 16)}
      />
      <Field
        label="Clave del SAT"
        name="satProduct"
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        defaultValue={item?.satProduct ?? ''}
        help="ClaveProdServ, 8 dígitos."
      />
      <Field
        label="Clave de unidad del SAT"
        name="satUnit"
        autoComplete="off"
        maxLength={3}
        defaultValue={item?.satUnit ?? ''}
        help="MTR, H87, E48…"
      />
    </div>
  )
}
