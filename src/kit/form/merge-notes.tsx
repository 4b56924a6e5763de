import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useMatches } from 'react-router'
import { pickName } from '../../shared/merging.ts'
import { Alert } from '../../ui/alert.tsx'

type NoteProps = {
  name: string
  /** Whether both changed it: otherwise it has followed. */
  isBoth: boolean
  values: { was: string; stored: string; shown: string }
  words: (value: string) => string
  choose: (form: HTMLFormElement, value: string) => void
}

/** What another person did to a field; of two values one is chosen, which the box takes at once where it can. */
export function FieldNote({ choose, isBoth, name, values, words }: NoteProps) {
  const inWords = (value: string) => words(value) || 'vacío'
  const { shown: mine, stored: theirs } = values
  return (
    <div
      data-theirs={name}
      data-words={inWords(values.stored)}
      className="grid gap-1 text-sm font-medium text-wait"
    >
      {isBoth ? (
        <BothValues
          name={name}
          legend="Los dos lo cambiaron"
          values={{ theirs, mine }}
          words={inWords}
          choose={choose}
        />
      ) : (
        <p>Cambió mientras tanto; antes: {inWords(values.was)}.</p>
      )}
    </div>
  )
}

type BothProps = Pick<NoteProps, 'name' | 'words' | 'choose'> & {
  legend: string
  values: { theirs: string; mine: string }
}

/** Of two values of a field one is chosen. */
export const BothValues = ({ choose, legend, name, values, words }: BothProps) => (
  <fieldset>
    <legend className="font-semibold">{legend}</legend>
    {(['theirs', 'mine'] as const).map((whose) => (
      <label key={whose} className="flex min-h-11 items-center gap-2 wrap-anywhere">
        <input
          type="radio"
          name={pickName(name)}
          value={whose}
          defaultChecked={whose === 'mine'}
          onChange={({ currentTarget: { form } }) => form && choose(form, values[whose])}
          className="size-5 shrink-0 accent-brand"
        />
        {whose === 'theirs' ? 'Usar lo suyo' : 'Dejar lo mío'}: {words(values[whose])}
      </label>
    ))}
  </fieldset>
)

type ListProps = {
  form: RefObject<HTMLFormElement | null>
  /** Looked for again with each of them. */
  of: unknown
}

/** The fields that another person changed, each with its new value and a link to it; the fields say so themselves. */
export function ChangesList({ form, of }: ListProps) {
  const [all, setAll] = useState<{ id: string; words: string }[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each save.
  useEffect(() => {
    const notes = [...(form.current?.querySelectorAll<HTMLElement>('[data-theirs]') ?? [])]
    setAll(
      notes.flatMap(({ dataset: { theirs = '', words } }) => {
        const box = form.current?.elements.namedItem(theirs) as HTMLInputElement | null
        // What follows the words of a label says how to fill it in.
        const label = [...(box?.labels?.[0]?.childNodes ?? [])].find(({ textContent }) => textContent)
        return box ? [{ id: box.id, words: `${label?.textContent ?? box.ariaLabel}: ${words}` }] : []
      }),
    )
  }, [form, of])
  if (all.length === 0) return null
  return (
    <ul>
      {all.map(({ id, words }) => (
        <li key={id}>
          <a href={`#${id}`} className="inline-flex min-h-11 items-center underline">
            {words}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Who saved, and when, as a screen's loader says in `wasSaved` (`lastSave`), and what they changed. */
export function SavedByAnother({ children }: { children: ReactNode }) {
  const all = useMatches().map(({ loaderData }) => (loaderData as { wasSaved?: string } | null)?.wasSaved)
  return (
    <div role="alert">
      <Alert tone="wait" title={all.find(Boolean) ?? 'Alguien más guardó cambios'}>
        {children}
      </Alert>
    </div>
  )
}

export const OvertakenBar = (list: ListProps) => (
  <SavedByAnother>
    Lo que escribiste sigue aquí.
    <ChangesList {...list} />
  </SavedByAnother>
)
