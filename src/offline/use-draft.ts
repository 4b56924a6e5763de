import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { isStep, stepsAfter } from '../appointments/rules/field-steps.ts'
import type { MoveName } from '../appointments/rules/transitions.ts'
import { questionOf } from '../reports/rules/progress.ts'
import type { AnswerValue, Sheet } from '../reports/rules/report.ts'
import { useToast } from '../ui/toaster.tsx'
import type { Draft } from './draft.ts'
import { merge } from './merge.ts'
import { emptyPhone } from './outbox/phone-state.ts'
import type { DraftMove, Typed } from './outbox/rows.ts'

/** The code that keeps and sends is loaded after the screen. */
const engine = async (personId: string) => {
  const coming = import('./outbox/offline-store.ts')
  const { settlePicture, takePicture } = await import('./raw-pictures.ts')
  const {
    addMove,
    addPicture,
    discard,
    dropPicture,
    forgetShown,
    keepTyped,
    retry,
    settleAnswer,
    writeAnswer,
  } = await import('./outbox/local-changes.ts')
  const { offlineStoreOf } = await coming
  const phone = await offlineStoreOf(personId)
  return {
    phone,
    addMove,
    addPicture,
    discard,
    dropPicture,
    forgetShown,
    keepTyped,
    retry,
    settleAnswer,
    settlePicture,
    takePicture,
    writeAnswer,
  }
}
type Engine = Awaited<ReturnType<typeof engine>>

/**
 * The sheet of an appointment on this phone: everything written goes to the phone first, then to the server. What waits is
 * named by its customer.
 */
export function useDraft(sheet: Sheet, customer: string): Draft {
  const { isRead, loaded, strictly, using } = useEngine(sheet)
  const [early, setEarly] = useState<Record<string, AnswerValue>>({})
  const [earlyTyped, setEarlyTyped] = useState<Record<string, Typed | null>>({})
  const [unkept, setUnkept] = useState<ReadonlySet<string>>(new Set())
  const state = useSyncExternalStore(
    loaded?.phone.state.subscribe ?? never,
    () => loaded?.phone.state.get() ?? emptyPhone,
    () => emptyPhone,
  )
  const seen = useMemo(() => merge(sheet, state.rows, state.sending, state.pictures), [sheet, state])
  const place = { appointmentId: sheet.appointmentId, customer, folio: sheet.folio }
  /** What did not fit on the phone is shown as long as it is so. */
  const noteKept = (name: string, run: (engine: Engine) => Promise<unknown>) =>
    void using(run).then((isKept) =>
      setUnkept((before) => {
        const after = new Set(before)
        if (isKept) after.delete(name)
        else after.add(name)
        return after
      }),
    )
  return {
    ...seen,
    isRead,
    answers: { ...seen.answers, ...early },
    typed: withoutNulls({ ...seen.typed, ...earlyTyped }),
    unkept,
    // Shown before the phone has it: until then nothing says that it is kept.
    waiting: Math.max(seen.waiting, new Set([...Object.keys(early), ...Object.keys(earlyTyped)]).size),
    write: (name, value, typed = null) => {
      // Shown at once; the phone's own row replaces it as soon as it is kept.
      setEarly((before) => ({ ...before, [name]: value }))
      setEarlyTyped((before) => ({ ...before, [name]: typed }))
      const revision = sheet.answers[name]?.revision ?? 0
      const isMeasured = questionOf(sheet.kind, name)?.measured ?? false
      noteKept(name, ({ phone, writeAnswer }) =>
        writeAnswer(phone, place, { name, value, typed, seen: revision, isMeasured }).then(() => {
          setEarly(without(name, value))
          setEarlyTyped(without(name, typed))
        }),
      )
    },
    keep: (name, typed) => {
      setEarlyTyped((before) => ({ ...before, [name]: typed }))
      noteKept(name, ({ keepTyped, phone }) =>
        keepTyped(phone, place, name, typed).then(() => setEarlyTyped(without(name, typed))),
      )
    },
    addFile: (slot, picture, keptBecause) =>
      strictly(({ addPicture, phone }) => addPicture(phone, place, slot, picture, keptBecause, seen.files)),
    takeFile: (slot, picture) =>
      strictly(({ phone, takePicture }) =>
        takePicture(phone, place, slot, picture, [...seen.files, ...seen.raw]),
      ),
    keepFile: (id, keptBecause) =>
      strictly(({ phone, settlePicture }) => settlePicture(phone, id, { keptBecause })),
    dropFile: (id) => {
      const slot = seen.files.find((file) => file.id === id)?.slot ?? ''
      void using(({ dropPicture, phone }) => dropPicture(phone, place, slot, id))
    },
    retry: (id) => void using(({ phone, retry }) => retry(phone, id)),
    discard: (id) => void using(({ discard, phone }) => discard(phone, id)),
    settle: (name, whose) => void using(({ phone, settleAnswer }) => settleAnswer(phone, place, name, whose)),
    move: async (move) => void (await using(({ addMove, phone }) => addMove(phone, place, move))),
  }
}

/** The others, unless it was written again meanwhile, or an earlier writing of the same removed it already. */
const without =
  <Value>(name: string, value: Value) =>
  (before: Record<string, Value>): Record<string, Value> => {
    const { [name]: now, ...others } = before
    return now === value ? others : before
  }

const withoutNulls = (typed: Record<string, Typed | null>): Record<string, Typed> =>
  Object.fromEntries(Object.entries(typed).filter((entry): entry is [string, Typed] => entry[1] !== null))

const never = () => () => {}

/** The engine once loaded, and what runs something with it: `using` reports a full phone, `strictly` fails. */
function useEngine(sheet: Sheet) {
  const { personId } = sheet
  const [loaded, setLoaded] = useState<Engine | null>(null)
  const [isRead, setIsRead] = useState(false)
  const toast = useToast()
  const asked = useRef<Promise<Engine>>(null)
  useEffect(() => {
    asked.current = engine(personId)
    // A browser that keeps nothing has nothing else to say.
    asked.current.then(setLoaded, () => undefined).then(() => setIsRead(true))
  }, [personId])
  useEffect(() => {
    void loaded?.forgetShown(loaded.phone, sheet)
  }, [loaded, sheet])
  const strictly = async <Result>(run: (engine: Engine) => Promise<Result>): Promise<Result> => {
    const result = await run(await (asked.current ?? engine(personId)))
    void navigator.storage?.persist?.()
    return result
  }
  /** Whether it was kept. */
  const using = (run: (engine: Engine) => Promise<unknown>) =>
    strictly(run).then(
      () => true,
      (error) => {
        toast({ variant: 'destructive', ...wordsOf(error) })
        return false
      },
    )
  return { isRead, loaded, strictly, using }
}

const wordsOf = (error: unknown) =>
  error instanceof DOMException && error.name === 'QuotaExceededError'
    ? {
        title: 'Tu teléfono no tiene espacio',
        description: 'Lo último no se guardó. Borra fotos o aplicaciones que no uses y hazlo otra vez.',
      }
    : {
        title: 'No se pudo guardar en tu teléfono',
        description:
          'Cierra las ventanas privadas y vuelve a intentarlo con la app abierta en una ventana normal.',
      }

/** What can be done now: what the server says, or what follows from the last step that waits; ends are no steps. */
export function movesAfter(offered: readonly MoveName[], waiting: readonly DraftMove[]): readonly MoveName[] {
  const last = waiting.at(-1)
  if (!last) return offered
  return isStep(last.move) ? stepsAfter[last.move] : []
}
