import type { BoardDay } from '../../domain/scheduling/board.ts'
import { minuteTime } from '../../domain/shared/format.ts'
import { tones } from '../ui/tone.ts'
import type { Over } from './drag-place.ts'
import { verdictTitle, verdictTone, verdictWords } from './move-words.ts'

/** Says who and when, and what is against it, while a block is dragged. */
export function MoveHint({ board, over }: { board: BoardDay; over: Over }) {
  const { icon: Icon, ink } = tones[verdictTone(over)]
  const person = board.people.find(({ id }) => id === over.personId)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-6 z-30 mx-auto grid w-fit max-w-xl gap-1 rounded-card border border-line bg-card px-5 py-3 shadow-float"
    >
      <p className="font-semibold">
        {person?.name} · {minuteTime(over.start)}
      </p>
      <p className={`flex gap-1.5 text-[0.9375rem] ${ink}`}>
        <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0" />
        {[verdictTitle(over), ...verdictWords(over)].join(' · ')}
      </p>
    </div>
  )
}
