import { clientSources, endingInWords } from '../../domain/agencies/clients.ts'
import { longDate } from '../../domain/shared/format.ts'
import type { Attribution } from '../../server/agencies/attributions.ts'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { Field } from '../ui/field.tsx'
import { FormDetails } from '../ui/form.tsx'
import { type OptionGroup, Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type Ally = { id: string; agency: string; name: string }
type AttributionCardProps = {
  /** Every tie there was, the latest first. */
  attributions: readonly Attribution[]
  allies: readonly Ally[]
}

/** Which agency brought a customer, and who of it, for the manager to say. */
export function AttributionCard({ allies, attributions }: AttributionCardProps) {
  const living = attributions.find(({ endedAt }) => endedAt === null)
  const former = attributions.filter(({ endedAt }) => endedAt !== null)
  const seen = <input type="hidden" name="seen" value={living?.id ?? ''} />
  return (
    <Card title="Concesionaria">
      {living ? <Tie tie={living} /> : <p>No viene de ninguna concesionaria.</p>}
      <FormDetails summary={living ? 'Cambiar' : 'Atribuir a un aliado'} intent="attribution.give">
        {seen}
        <Select
          label="Aliado"
          name="allyId"
          placeholder="Elige a un aliado"
          options={byAgency(allies)}
          defaultValue={living?.allyId}
        />
        <Field label="¿Por qué?" name="reason" maxLength={200} help="Queda en su historial." />
        <Submit className="sm:justify-self-start">Guardar concesionaria</Submit>
      </FormDetails>
      {living && (
        <FormDetails summary="Quitar" intent="attribution.end">
          {seen}
          <p className="text-[0.9375rem] text-mute">
            Su proyecto abierto deja de ser de la concesionaria y ya no genera comisión. Lo que se le envió
            con su descuento sigue en pie.
          </p>
          <Field label="¿Por qué?" name="reason" maxLength={200} />
          <Submit variant="destructive" className="sm:justify-self-start">
            Quitar concesionaria
          </Submit>
        </FormDetails>
      )}
      {former.length > 0 && (
        <Details summary="Antes">
          {former.map((tie) => (
            <Tie key={tie.id} tie={tie} />
          ))}
        </Details>
      )}
    </Card>
  )
}

function Tie({ tie }: { tie: Attribution }) {
  const { agency, ally, by, code, endedAt, endedReason, joinedAt, reason, source } = tie
  const how = [clientSources[source], code && `código ${code}`, by && `por ${by}`].filter(Boolean).join(' · ')
  return (
    <div className="grid gap-0.5">
      <p className="font-medium">
        {agency.name}
        {ally && <span className="font-normal"> · {ally}</span>}
      </p>
      <p className="text-sm text-mute">
        {how} · {longDate(joinedAt)}
        {endedAt && ` a ${longDate(endedAt)}`}
      </p>
      {reason && <p className="text-[0.9375rem]">{reason}</p>}
      {endedReason && <p className="text-sm text-mute">Terminó: {endingInWords(endedReason)}</p>}
    </div>
  )
}

const byAgency = (allies: readonly Ally[]): OptionGroup[] =>
  [...Map.groupBy(allies, ({ agency }) => agency)].map(([label, people]) => ({
    label,
    options: people.map(({ id, name }) => ({ value: id, label: name })),
  }))
