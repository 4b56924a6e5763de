import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Field, Select } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { useSingleKeys } from '../../ui/single-keys.ts'
import { tickedForm, workIntents } from './ticked-form.ts'

type TickedLinesProps = {
  /** The reader first. */
  colleagues: readonly { id: string; name: string }[]
  /** Of lines that are put off. */
  isBack: boolean
}

/** What is done with the ticked lines, at the foot of the window while there are any; and the keys of the lines. */
export function TickedLines({ colleagues, isBack }: TickedLinesProps) {
  const refused = useFormResult(workIntents)
  const { key } = useLocation()
  const shown = useRef(key)
  useLineKeys()
  useEffect(() => {
    if (shown.current !== key && !refused) formOfLines()?.reset()
    shown.current = key
  }, [key, refused])
  return (
    <>
      <div className="sticky bottom-3 z-10 hidden group-has-[[data-line]_input:checked]/inbox:block has-data-answered:block">
        <Form
          id={tickedForm}
          intent={workIntents}
          className="grid-cols-[1fr_auto]! items-end gap-3! rounded-card border border-line bg-card p-3 shadow-float *:[[role=alert]]:col-span-full sm:flex sm:flex-wrap"
        >
          {/* Enter in a box sends nothing: it opens a line. */}
          <button type="submit" disabled hidden />
          <Select
            label="Pasar a"
            name="to"
            optional="unsaid"
            options={[
              ...colleagues.map(({ id, name }) => ({ value: id, label: name })),
              { value: '', label: 'Nadie en especial' },
            ]}
            defaultValue={colleagues[0]?.id}
          />
          <Submit variant="ghost" name="intent" value="assign-work">
            Pasar
          </Submit>
          {isBack ? <Return /> : <Snooze />}
        </Form>
      </div>
      <KeysHint />
    </>
  )
}

const KeysHint = () => (
  <p className="hidden text-sm text-mute lg:block noscript:hidden">
    Teclas: j y k recorren, Enter abre, x marca, e anota en qué quedó, s pospone, a pasa a alguien.
  </p>
)

const Return = () => (
  <Submit variant="ghost" name="intent" value="return-work">
    Regresar a Inicio
  </Submit>
)

const Snooze = () => (
  <>
    <Field label="Hasta el día, 9:00" name="until" type="date" optional="unsaid" />
    <Submit variant="ghost" name="intent" value="snooze-work">
      Posponer
    </Submit>
  </>
)

const formOfLines = () => document.getElementById(tickedForm) as HTMLFormElement | null
const boxOf = (line: Element) => line.querySelector<HTMLInputElement>('input[type=checkbox]')

/** The line that has the focus is the chosen one; where it went away, the keys go on from its place. */
function useLineKeys() {
  const last = useRef(-1)
  const read = () => {
    const lines = [...document.querySelectorAll('[data-line]')]
    const held = lines.findIndex((line) => line.contains(document.activeElement))
    return { lines, held }
  }
  const step = (by: 1 | -1) => {
    const { held, lines } = read()
    const from = held >= 0 ? held + by : by > 0 ? Math.max(last.current, 0) : last.current - 1
    last.current = Math.min(Math.max(from, 0), lines.length - 1)
    lines[last.current]?.querySelector<HTMLElement>('a, summary, button')?.focus()
  }
  const onHeld = (act: (line: Element) => void) => () => {
    const { held, lines } = read()
    if (held >= 0) last.current = held
    const line = lines[last.current]
    if (line) act(line)
  }
  const act = (control: string) =>
    onHeld((line) => {
      const isAny = document.querySelector('[data-line] input[type=checkbox]:checked')
      const box = boxOf(line)
      if (!isAny && box) box.checked = true
      formOfLines()?.querySelector<HTMLElement>(control)?.focus()
    })
  useSingleKeys({
    j: () => step(1),
    k: () => step(-1),
    x: onHeld((line) => boxOf(line)?.click()),
    s: act('[value=snooze-work]'),
    a: act('select'),
    e: onHeld(openAnswer),
  })
}

/** Where nothing is written, the buttons act at once: none of them gets the focus by a key. */
function openAnswer(line: Element) {
  const answer = line.querySelector('details')
  if (!answer) return
  answer.open = true
  const boxes = [...answer.querySelectorAll<HTMLElement>('input:not([type=hidden]), textarea')]
  const target = boxes[0] ?? answer.querySelector('summary')
  target?.focus()
}
