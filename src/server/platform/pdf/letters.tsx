import { Text, View } from '@react-pdf/renderer'
import { Bound, FactRows, PaperSheet, printable, Sentences, styles } from './frame.tsx'
import type { LetterBatch, LetterPaper } from './paper.ts'

/** One letter. */
export const LetterDocument = ({ paper }: { paper: LetterPaper }) => (
  <Bound {...paper}>
    <Letter paper={paper} />
  </Bound>
)

/** Letters that are printed at once, behind the list of what each case hands in. */
export const LettersDocument = ({ paper }: { paper: LetterBatch }) => (
  <Bound {...paper}>
    <PaperSheet {...paper}>
      {paper.cases.map(({ note, papers, title }) => (
        <View key={title} wrap={false}>
          <FactRows title={`${title}. ${note}`} rows={papers} />
        </View>
      ))}
    </PaperSheet>
    {paper.letters.map((letter) => (
      <Letter key={`${letter.folio} ${letter.title}`} paper={letter} />
    ))}
  </Bound>
)

/** A letter to be signed by hand. */
const Letter = ({ paper }: { paper: LetterPaper }) => (
  <PaperSheet {...paper}>
    <View style={styles.section}>
      {paper.addressee.map((line) => (
        <Text key={line}>{printable(line)}</Text>
      ))}
    </View>
    <View style={styles.section}>
      {paper.paragraphs.map((text) => (
        <Text key={text} style={styles.paragraph}>
          {printable(text)}
        </Text>
      ))}
    </View>
    {paper.facts.length > 0 && <FactRows title="Datos del servicio" rows={paper.facts} />}
    {paper.enclosed.length > 0 && <Sentences title="Se acompaña" lines={paper.enclosed} />}
    <LetterSignatures signatures={paper.signatures} />
  </PaperSheet>
)

/** Two in a row, each a blank line above the signer's name. */
const LetterSignatures = ({ signatures }: Pick<LetterPaper, 'signatures'>) => {
  const rows = signatures.filter((_, at) => at % 2 === 0).map((first, at) => [first, signatures[2 * at + 1]])
  return rows.map((pair) => (
    <View key={pair[0]!.as} style={styles.columns} wrap={false}>
      {pair.map((one, at) => (
        <View key={one?.as ?? at} style={styles.signature}>
          {one && (
            <>
              <View style={styles.signed} />
              <Text style={styles.caption}>{printable(one.name)}</Text>
              <Text style={styles.small}>{printable(one.as)}</Text>
            </>
          )}
        </View>
      ))}
    </View>
  ))
}
