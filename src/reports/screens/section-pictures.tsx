import { later, NotYet } from '../../kit/later.tsx'
import type { Draft } from '../../offline/draft.ts'
import { fileIn } from '../../photos/kept-photo.tsx'
import { PhotoField } from '../../photos/photo-field.tsx'
import { isSignature } from '../rules/photos.ts'
import { slotsIn } from '../rules/progress.ts'
import type { Answers, Section, Sheet } from '../rules/report.ts'
import { filledSlots } from './use-answers.ts'

/** The last section alone has it. */
const SignatureField = later(
  () => import('../../photos/signature-field.tsx').then((part) => part.SignatureField),
  () => <NotYet>Para firmar hace falta señal: vuelve a esta sección cuando haya.</NotYet>,
)

/** Nothing is lost where it comes late, or not at all: each photo has its own buttons. */
const WalkButton = later(() => import('../../photos/walk-button.tsx').then((part) => part.default))

type SectionPicturesProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  /** Who fills the report in. */
  author: string
}

/** The photos and signatures of a section; of the optional ones, those taken and room for one more. */
export function SectionPictures({ sheet, draft, section, author }: SectionPicturesProps) {
  const taken = filledSlots(draft)
  const shown = shownSlots(section, draft.answers, taken)
  const { customerName } = draft.answers
  const signers: Record<string, string | null> = {
    signature_technician: author,
    signature_customer: typeof customerName === 'string' ? customerName : null,
  }
  const photos = shown.filter((slot) => !isSignature(slot))
  return (
    <>
      {sheet.mayWrite && photos.length > 0 && (
        <WalkButton
          sheet={sheet}
          draft={draft}
          here={photos}
          known={{
            taken,
            shown: (one) => shownSlots(one, draft.answers, taken),
            fileIn: (slot) => fileIn(draft.files, slot),
          }}
        />
      )}
      {shown.map((slot) =>
        isSignature(slot) ? (
          <SignatureField key={slot} sheet={sheet} draft={draft} slot={slot} signer={signers[slot] ?? null} />
        ) : (
          <PhotoField
            key={slot}
            sheet={sheet}
            draft={draft}
            slot={slot}
            optional={section.extra?.includes(slot) ?? false}
          />
        ),
      )}
    </>
  )
}

/** What a section asks; of its optional slots, those that have a picture and one more. */
function shownSlots(section: Section, answers: Answers, taken: ReadonlySet<string>): readonly string[] {
  const { extra = [] } = section
  const free = extra.find((slot) => !taken.has(slot))
  return [...slotsIn(section, answers), ...extra.filter((slot) => taken.has(slot) || slot === free)]
}
