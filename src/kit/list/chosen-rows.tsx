import { Download } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { rowBox } from '../../shared/count.ts'
import { counted } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import type { Boxes } from '../../ui/data-table.tsx'
import { fileFormat } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { Form, useFormResult } from '../form/form.tsx'

/** The id of the form that the boxes of a list's rows belong to. */
export const chosenForm = 'chosen-rows'

export type WithId = { id: string } | { uid: string }
export const rowId = (row: WithId) => ('id' in row ? row.id : row.uid)

/** The boxes of rows whose id says all of them. */
export const rowBoxes = <Row extends WithId>(
  labelOf: (row: Row) => string,
  marked: ReadonlySet<string> = noMarks,
): Boxes<Row> => ({
  form: chosenForm,
  of: (row) => {
    const name = `${rowBox}${rowId(row)}`
    return { name, value: '1', label: labelOf(row), marked: marked.has(name) }
  },
})
const noMarks: ReadonlySet<string> = new Set()

/** A ticked row that a press left as it was. */
type LeftRow = { id: string; folio: string; customer: string; why: string }

/** What a press settled, and what it left as it was. */
export type ChosenAnswer = { done: number; left: readonly LeftRow[] }

/** The boxes that an answer leaves marked for the next try: of a refused form all, else those of what stayed as it was. */
export function useMarked(intents: readonly string[], answer: ChosenAnswer | undefined): ReadonlySet<string> {
  const refused = useFormResult(intents)?.values
  return useMemo(() => {
    const sent = Object.keys(refused ?? {}).filter((name) => name.startsWith(rowBox))
    return new Set([...sent, ...(answer?.left.map(({ id }) => `${rowBox}${id}`) ?? [])])
  }, [refused, answer])
}

/**
 * How many rows are ticked, those before scripts ran among them. Another page, or an answer, takes the marks off, but for
 * those that stay.
 */
function useTicked(marked: ReadonlySet<string>): number {
  const [count, setCount] = useState(0)
  const { key } = useLocation()
  const shown = useRef<{ key: string; marked: ReadonlySet<string> }>({ key, marked })
  useEffect(() => {
    const form = document.getElementById(chosenForm) as HTMLFormElement
    const show = () => setCount(tickedIn(form).length)
    show()
    // After the boxes were reset.
    const soon = () => setTimeout(show)
    document.addEventListener('change', show)
    form.addEventListener('reset', soon)
    return () => {
      document.removeEventListener('change', show)
      form.removeEventListener('reset', soon)
    }
  }, [])
  useEffect(() => {
    if (shown.current.key === key && shown.current.marked === marked) return
    shown.current = { key, marked }
    for (const box of document.querySelectorAll<HTMLInputElement>('.row-box'))
      box.checked = marked.has(box.name)
    setCount(marked.size)
  }, [key, marked])
  return count
}

type ChosenBarProps = {
  /** None where the ticked rows are only a file. */
  intents?: readonly string[]
  /** The boxes that stay marked. */
  marked?: ReadonlySet<string>
  /** What is ticked: "marcada", "marcadas". */
  words: readonly [one: string, many: string]
  /** Where the ticked rows are a file. */
  file?: string
  /** The buttons. */
  children?: ReactNode
}

/** What can be done with the rows that are ticked, at the foot of the window while there are any. */
export function ChosenBar({ children, file, intents, marked = noMarks, words }: ChosenBarProps) {
  const count = useTicked(marked)
  return (
    <Form id={chosenForm} intent={intents} className="chosen-rows">
      <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-card p-3 shadow-float">
        <output className="px-1 font-semibold">{count > 0 && counted(count, ...words)}</output>
        {children}
        {file && (
          <>
            <ChosenFile to={file} isExcel>
              <Download aria-hidden className="size-5" />
              Excel
            </ChosenFile>
            <ChosenFile to={file}>
              <Download aria-hidden className="size-5" />
              CSV
            </ChosenFile>
          </>
        )}
        <Button type="reset" variant="ghost">
          Quitar marcas
        </Button>
      </div>
    </Form>
  )
}

/** A button that opens a file of the ticked rows. */
type ChosenFileProps = { to: string; isExcel?: boolean; children: ReactNode }
export const ChosenFile = ({ children, isExcel = false, to }: ChosenFileProps) => (
  <button
    type="submit"
    {...(isExcel && { name: fileFormat.name, value: fileFormat.excel })}
    formMethod="get"
    formAction={to}
    onClick={download}
    className={buttonClass('ghost')}
  >
    {children}
  </button>
)

/** The names of the boxes that are ticked. */
const tickedIn = (form: HTMLFormElement) =>
  [...new FormData(form).keys()].filter((name) => name.startsWith(rowBox))

/** With JavaScript the form is the router's, which opens no file. */
function download(event: MouseEvent<HTMLButtonElement>) {
  const { form, formAction, name, value } = event.currentTarget
  event.preventDefault()
  const query = new URLSearchParams(tickedIn(form!).map((row) => [row, '']))
  if (name) query.set(name, value)
  location.assign(`${formAction}?${query}`)
}

type LeftRowsProps<Row extends LeftRow> = {
  answer: { done: number; left: readonly Row[] } | undefined
  /** What was done, in a sentence that the rows left go on. */
  title: (done: number, left: number) => string
  pathOf: (row: Row) => string
}

/** Row by row, why the last press left some as they are; led to, as it stands above rows that may have been scrolled past. */
export function LeftRows<Row extends LeftRow>({ answer, pathOf, title }: LeftRowsProps<Row>) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (answer) place.current?.focus()
  }, [answer])
  if (!answer) return null
  const { done, left } = answer
  return (
    <div ref={place} role="alert" tabIndex={-1} className="scroll-mt-24 rounded-card">
      <Alert tone={done > 0 ? 'wait' : 'bad'} title={title(done, left.length)}>
        <ul className="grid gap-1">
          {left.map((row) => (
            <li key={row.id}>
              <Link to={pathOf(row)}>
                {row.customer} · {row.folio}
              </Link>
              : {row.why}
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  )
}
