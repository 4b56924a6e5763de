import { Form as PlainForm } from 'react-router'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { isMunicipality, municipalities, municipalityLabel, regionGroups } from '../../shared/places.ts'
import { ActionBar, Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { editTravel, travelFrom } from '../commands.ts'
import { travelPath } from '../rules/pages.ts'
import { travelInput } from '../rules/schema.ts'
import type { Route } from './+types/travel.ts'
import { configuring, readSettings, saved } from './configuring.ts'
import { PageFrame } from './page-frame.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { events, version, wasSaved } = await readSettings(context, 'travel')
    const asked = url.searchParams.get('desde') ?? ''
    const from = isMunicipality(asked) ? asked : 'alvaro-obregon'
    return { events, version, wasSaved, from, rows: await travelFrom(requestOf(context).db, from) }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor, now } = configuring(context)
  return {
    'settings.travel': form(travelInput['settings.travel'], async (input) => {
      await editTravel(db, actor, input, now)
      return saved('travel', travelPath(input.from))
    }),
    'settings.travel.reset': form(travelInput['settings.travel.reset'], async (input) => {
      await editTravel(db, actor, { ...input, minutes: null }, now)
      return saved('travel', travelPath(input.from))
    }),
  }
})

type Row = Route.ComponentProps['loaderData']['rows'][number]

/** Minutes on the road from one municipality to each of the twenty. */
export default function Travel({ loaderData }: Route.ComponentProps) {
  const { events, from, rows, version } = loaderData
  const isSame = rows.every(({ minutes, back }) => minutes === back)
  return (
    <PageFrame page="travel" events={events}>
      <Origin from={from} />
      <Form key={from} intent="settings.travel" version={version}>
        <input type="hidden" name="from" value={from} />
        <Card title={`Desde ${municipalityLabel(from)}`}>
          <div className="grid gap-5 sm:grid-cols-2">
            {rows.map((row) => (
              <Field
                key={row.slug}
                label={row.label}
                name={row.slug}
                inputMode="numeric"
                maxLength={4}
                autoComplete="off"
                defaultValue={String(row.minutes)}
                help={hint(row)}
              />
            ))}
          </div>
          <Checkbox label="Los mismos minutos de regreso" name="bothWays" defaultChecked={isSame} />
        </Card>
        <ActionBar>
          <Submit>Guardar</Submit>
        </ActionBar>
      </Form>
      <Form intent="settings.travel.reset">
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="from" value={from} />
        <Card title="Volver a los calculados">
          <p className="text-[0.9375rem] text-mute">
            A 22 km/h entre sus centros, más 10 minutos; 15 dentro de uno mismo.
          </p>
          <Checkbox label="También de regreso" name="bothWays" defaultChecked />
          <Submit variant="ghost">Calcular por distancia</Submit>
        </Card>
      </Form>
    </PageFrame>
  )
}

function hint({ minutes, back, usual }: Row): string | undefined {
  const parts = [
    ...(minutes === usual ? [] : [`Por distancia: ${usual}.`]),
    ...(minutes === back ? [] : [`De regreso: ${back}.`]),
  ]
  return parts.join(' ') || undefined
}

function Origin({ from }: { from: string }) {
  return (
    <PlainForm key={from} method="get" className="flex items-end gap-3">
      <Select
        className="min-w-0 flex-1"
        label="Salida"
        name="desde"
        optional="unsaid"
        options={regionGroups.map(({ id, label }) => ({
          label,
          options: municipalities
            .filter(({ group }) => group === id)
            .map((one) => ({ value: one.slug, label: one.label })),
        }))}
        defaultValue={from}
      />
      <Button type="submit" variant="ghost">
        Ver
      </Button>
    </PlainForm>
  )
}
