import type { ReactNode } from 'react'
import type { Conflict, Draft } from '../../offline/draft.ts'
import { dateTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { answerInWords } from '../rules/answer-words.ts'
import type { AnswerValue, Question } from '../rules/report.ts'

type ConflictNoticeProps = { conflict: Conflict; question: Question; settle: Draft['settle'] }

/** An answer that was changed elsewhere while it was changed here: both values, and the choice between them. */
export default function ConflictNotice({ conflict, question, settle }: ConflictNoticeProps): ReactNode {
  const { name, mine, theirs, by, own, at } = conflict
  const words = (value: AnswerValue) => answerInWords(question, value) ?? 'Sin respuesta'
  return (
    <Alert
      tone="wait"
      title={own ? 'Lo cambiaste en otro teléfono' : 'La oficina lo cambió mientras tanto'}
      actions={
        <>
          <Button variant="ghost" onClick={() => settle(name, 'theirs')}>
            {own ? 'Dejar lo del otro teléfono' : 'Dejar lo de la oficina'}
          </Button>
          <Button variant="ghost" onClick={() => settle(name, 'mine')}>
            {own ? 'Dejar lo de este' : 'Dejar lo mío'}
          </Button>
        </>
      }
    >
      <p>
        {own ? 'Allá escribiste' : `${by ?? 'La oficina'} escribió`} «{words(theirs)}» el {dateTime(at)}
      </p>
      <p>
        {own ? 'Aquí' : 'Tú'} escribiste «{words(mine)}».
      </p>
    </Alert>
  )
}
