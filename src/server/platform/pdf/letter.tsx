import { Text, View } from '@react-pdf/renderer'
import { Frame, Rows, Sentences } from './frame.tsx'
import { inHelvetica } from './helvetica.ts'
import type { LetterPaper } from './paper.ts'
import { styles } from './styles.ts'

/** A letter to be signed by hand. */
export const LetterDocument = ({ paper }: { paper: LetterPaper }) => (
  <Frame {...paper}>
    <View style={styles.section}>
      {paper.addressee.map((line) => (
        <Text key={line}>{inHelvetica(line)}</Text>
      ))}
    </View>
    <View style={styles.section}>
      {paper.paragraphs.map((text) => (
        <Text key={text} style={styles.paragraph}>
          {inHelvetica(text)}
        </Text>
      ))}
    </View>
    {paper.facts.length > 0 && <Rows title="Datos del servicio" rows={paper.facts} />}
    {paper.enclosed.length > 0 && <Sentences title="Se acompaña" lines={paper.enclosed} />}
    <Signatures signatures={paper.signatures} />
  </Frame>
)

/** Two in a row, each a blank line with who signs there under it. */
const Signatures = ({ signatures }: Pick<LetterPaper, 'signatures'>) => {
  const rows = signatures.filter((_, at) => at % 2 === 0).map((first, at) => [first, signatures[2 * at + 1]])
  return rows.map((pair) => (
    <View key={pair[0]!.as} style={styles.columns} wrap={false}>
      {pair.map((one, at) => (
        <View key={one?.as ?? at} style={styles.signature}>
          {one && (
            <>
              <View style={styles.signed} />
              <Text style={styles.caption}>{inHelvetica(one.name)}</Text>
              <Text style={styles.small}>{inHelvetica(one.as)}</Text>
            </>
          )}
        </View>
      ))}
    </View>
  ))
}
