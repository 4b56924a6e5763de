import { Download } from 'lucide-react'
import { type MouseEvent, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { type ListName, rowBox } from '../../domain/appointments/list.ts'
import { counted } from '../../domain/shared/format.ts'
import type { Settled } from '../../server/appointments/assign-many.ts'
import type { ListedAppointment } from '../../server/appointments/lists.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import type { Boxes } from '../ui/data-table.tsx'
import { FieldNotes, OptionList, useField } from '../ui/field.tsx'
import { Form, Submit, useFormResult } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'

/** What a press settled, and what it left as it was. */
export type Answer = Pick<Settled, 'left'> & { done: number }

const chosenForm = 'chosen-rows'

const intents = ['confirm-chosen', 'assign-chosen'] as const

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

/** The boxes that an answer leaves marked for the next try: of a refused form all, else those of what stayed as it was. */
export function useMarked(settled: Answer | undefined): ReadonlySet<string> {
  const refused = useFormResult(intents)?.values
  return useMemo(() => {
    const sent = Object.keys(refused ?? {}).filter((name) => name.startsWith(rowBox))
    return new Set([...sent, ...(settled?.left.map(({ id }) => `${rowBox}${id}`) ?? [])])
  }, [refused, settled])
}

type ChosenRowsProps = {
  list: ListName
  path: string
  /** Who may be given the rows; nobody where the list assigns nothing. */
  people: readonly { id: string; name: string }[]
  /** The boxes that stay marked. */
  marked: ReadonlySet<string>
}

/** How many rows are ticked. Another page, or an answer, takes the marks off, but for those that stay. */
function useTicked(marked: ReadonlySet<string>): number {
  const [count, setCount] = useState(0)
  const { key } = useLocation()
  useEffect(() => {
    const form = document.getElementById(chosenForm) as HTMLFormElement
    const show = () => setCount(tickedIn(form).length)
    // After the boxes were reset.
    const soon = () => setTimeout(show)
    document.addEventListener('change', show)
    form.addEventListener('reset', soon)
    return () => {
      document.removeEventListener('change', show)
      form.removeEventListener('reset', soon)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another address too.
  useEffect(() => {
    for (const box of document.querySelectorAll<HTMLInputElement>('.row-box'))
      box.checked = marked.has(box.name)
    setCount(marked.size)
  }, [key, marked])
  return count
}

/** What can be done with the rows that are ticked, at the foot of the window while there are any. */
export function ChosenRows({ list, marked, path, people }: ChosenRowsProps) {
  const count = useTicked(marked)
  return (
    <Form id={chosenForm} intent={intents} className="chosen-rows">
      <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-card p-3 shadow-float">
        <output className="px-1 font-semibold">{count > 0 && counted(count, 'marcada', 'marcadas')}</output>
        {list === 'pending' && (
          <>
            <Submit name="intent" value="confirm-chosen">
              Confirmar
            </Submit>
            <AssignTo people={people} />
          </>
        )}
        <button
          type="submit"
          formMethod="get"
          formAction={`${path}.csv`}
          onClick={download}
          className={buttonClass('ghost')}
        >
          <Download aria-hidden className="size-5" />
          Exportar
        </button>
        <Button type="reset" variant="ghost">
          Quitar marcas
        </Button>
      </div>
    </Form>
  )
}

type AssignToProps = Pick<ChosenRowsProps, 'people'>

function AssignTo({ people }: AssignToProps) {
  const { described, error, focus, id } = useField({ name: 'to', optional: 'unsaid' })
  if (people.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <OptionList {...described} {...focus} id={id} name="to" aria-label="Asignar a" defaultValue="">
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

/** The names of the boxes that are ticked. */
const tickedIn = (form: HTMLFormElement) =>
  [...new FormData(form).keys()].filter((name) => name.startsWith(rowBox))

/** With JavaScript the form is the router's, which opens no file. */
function download(event: MouseEvent<HTMLButtonElement>) {
  const { form, formAction } = event.currentTarget
  event.preventDefault()
  location.assign(`${formAction}?${new URLSearchParams(tickedIn(form!).map((name) => [name, '']))}`)
}

/** Row by row, why the last press left some as they are. */
export function LeftRows({ settled }: { settled: Answer | undefined }) {
  if (!settled) return null
  const { done, left } = settled
  return (
    <Alert
      tone={done > 0 ? 'wait' : 'bad'}
      title={`${done > 0 ? counted(done, 'cita quedó lista', 'citas quedaron listas') : 'Ninguna quedó lista'}. ${left.length === 1 ? 'Esta sigue como estaba' : 'Estas siguen como estaban'}:`}
    >
      <ul className="grid gap-1">
        {left.map(({ customer, folio, id, why }) => (
          <li key={id}>
            <Link to={`/admin/assignations/${id}`}>
              {customer} · {folio}
            </Link>
            : {why}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
