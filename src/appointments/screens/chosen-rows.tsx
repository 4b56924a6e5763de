import { FieldNotes, OptionList, useField } from '../../kit/form/field.tsx'
import { Submit } from '../../kit/form/form.tsx'
import { type ChosenAnswer, ChosenBar, chosenForm, LeftRows } from '../../kit/list/chosen-rows.tsx'
import { rowBox } from '../../shared/count.ts'
import { counted } from '../../shared/format.ts'
import type { Boxes } from '../../ui/data-table.tsx'
import type { ListedAppointment } from '../lists.ts'

export const chosenIntents = ['confirm-chosen', 'assign-chosen'] as const

/** The boxes of the rows: each says what its assignment would be confirmed as. */
export const boxesWith = (marked: ReadonlySet<string>): Boxes<ListedAppointment> => ({
  form: chosenForm,
  of: ({ folio, id, proposal }) => ({
    name: `${rowBox}${id}`,
    value: proposal ? `${proposal.version}:${proposal.assigneeId ?? ''}` : '',
    label: folio,
    marked: marked.has(`${rowBox}${id}`),
  }),
})

type ChosenRowsProps = {
  path: string
  /** Who may be given the rows; null where the list, or its reader, assigns nothing. */
  people: readonly { id: string; name: string }[] | null
  /** The boxes that stay marked. */
  marked: ReadonlySet<string>
}

/** What can be done with the appointments that are ticked. */
export const ChosenRows = ({ marked, path, people }: ChosenRowsProps) => (
  <ChosenBar intents={chosenIntents} marked={marked} words={['marcada', 'marcadas']} file={`${path}.csv`}>
    {people && (
      <>
        <Submit name="intent" value="confirm-chosen">
          Confirmar
        </Submit>
        <AssignTo people={people} />
      </>
    )}
  </ChosenBar>
)

type AssignToProps = { people: NonNullable<ChosenRowsProps['people']> }

function AssignTo({ people }: AssignToProps) {
  const { described, error, id } = useField({ name: 'to', optional: 'unsaid' })
  if (people.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <OptionList {...described} id={id} name="to" aria-label="Asignar a" defaultValue="">
        <option value="">Asignar a…</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </OptionList>
      <Submit name="intent" value="assign-chosen" variant="ghost">
        Asignar
      </Submit>
      <FieldNotes id={id} error={error} />
    </span>
  )
}

/** Which ticked appointments the last press left as they are, and why. */
export const LeftAppointments = ({ answer }: { answer: ChosenAnswer | undefined }) => (
  <LeftRows
    answer={answer}
    title={(done, left) =>
      `${done > 0 ? counted(done, 'cita quedó lista', 'citas quedaron listas') : 'Ninguna quedó lista'}. ${left === 1 ? 'Esta sigue como estaba' : 'Estas siguen como estaban'}:`
    }
    pathOf={({ id }) => `/admin/assignations/${id}`}
  />
)
