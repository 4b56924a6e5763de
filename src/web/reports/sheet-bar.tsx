import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { Section, Sheet } from '../../domain/reports/report.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Submit } from '../ui/submit.tsx'
import { sendValue } from './sheet-path.ts'
import { sectionFormId } from './use-hearing.ts'

const things = { visit: 'reporte', installation: 'registro' }
/** The appointment of one that came back is over already. */
const sendWords = ({ kind, state }: Pick<Sheet, 'kind' | 'state'>) =>
  `Enviar ${things[kind]} ${state === 'returned' ? 'otra vez' : 'y terminar'}`

type SheetBarProps = {
  sheet: Pick<Sheet, 'kind' | 'state'>
  previous: Section | undefined
  next: Section | undefined
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

/** The way on and back through a sheet, under the thumb. Without JavaScript both keep what the section says. */
export function SheetBar({ sheet, previous, next, wait }: SheetBarProps) {
  return (
    <ActionBar className="lg:max-w-2xl">
      {!next && wait && <p className="text-[0.9375rem] text-mute">{wait}</p>}
      {/* The way on stands first: it is what Enter means. */}
      <div className="flex w-full flex-row-reverse gap-3">
        {(next || !wait) && (
          <Submit form={sectionFormId} name="next" value={next?.id ?? sendValue} className="flex-1">
            {next ? 'Siguiente' : sendWords(sheet)}
            {next && <ChevronRight aria-hidden className="size-5" />}
          </Submit>
        )}
        {previous && (
          <Submit
            form={sectionFormId}
            name="next"
            value={previous.id}
            variant="ghost"
            className={next || wait ? 'flex-1' : undefined}
          >
            <ChevronLeft aria-hidden className="size-5" />
            <span className={next || wait ? undefined : 'max-sm:sr-only'}>Anterior</span>
          </Submit>
        )}
      </div>
    </ActionBar>
  )
}
