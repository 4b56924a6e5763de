/**
 * The SHA-256 of every merged migration's text. A database remembers what it was made with, and a start refuses another text
 * of it: a merged migration never changes here. A new one gets its line with it.
 */
export const migrationHashes: Record<string, string> = {
  '0001_foundation.sql': '6175108e85124006b7f64cc0cfea181a53d9fe1657975a42815f07281035afce',
  '0002_postal_codes.sql': '722f6ac3b01317ff7f9d8feb725b791bf34531c47996ed097c5388d014ed27f4',
  '0003_identity.sql': '2f159a9c0dd0b539073f7c943f1fb8fe7ce2ea6a7e2d38b58abc0ea22831d336',
  '0004_scheduling.sql': 'b64ef815b07f6b29174110246704352c22d72dea4673cc704b28b0ba6c318247',
  '0005_video.sql': '34e49333bb39b6f60d435c2a13bc6e859c3115152844457550f219096ec2e6fd',
  '0006_on_site.sql': '62b59bff2413d5c93548225c6add2d4ba014e5f2ffa35d552ad39f6ba2b91e8c',
  '0007_money.sql': '9f5f9ec04b14d1f083bb275144b94770a39faa1ea2087582cfbc72a07381d71d',
  '0008_allies.sql': 'e9bec138d907fe980a88b0ffe7720fb59c9a8c763b6015c2238f06569b015e0e',
  '0009_cfe.sql': '0b5afdd7ecafc11cca578f5a154d509cb645969f972049e1df64bd169d24b440',
  '0010_office.sql': 'eb9490c97e667a2343917fd2d45464940966ffe07c59b9c727d46433d1e6be6a',
  '0011_privacy.sql': '8502854f05fa772578a919b18efe3a1b1184a91b8392e94f0e3a3578d57c8c81',
  '0012_whatsapp.sql': '388a48daef2dd0b7b2978da3fcb865061723a4cb6491ab446aab00aa30af30c0',
  '0013_moving_in.sql': 'a612167dd490964c307640f0c604a7a458b5d15907873dce20b9ec0ac55882d8',
  '0014_by_customer.sql': '705db9bfde7d9bb61b2c7d01f56a643c1808ad074862bce898aaa335bf4e3620',
  '0015_forgetting.sql': '39b4b896b7d80538b2e5cb9d97d1c09a655be1419793af343119baca3ce11bc6',
  '0016_same_freeze.sql': 'c989e469440c875e27c083eda7a0acd3054248f07e057cdb4b923e62d9281080',
  '0017_email_changes.sql': 'ee38e63d8443b1523344ab6e5bbca29b31b2ad254becde71663a5f850df72df6',
  '0018_limits.sql': '6a3583bb8a5baeb1957dd2d0c118becb5a87a1cfc3607672d707319a8fa200b1',
  '0020_prices_corrections_homes.sql': '0b0aa24e738828632eb47533040bea8346b8e58befa68f8656425f014dec2e39',
  '0022_claims.sql': 'bf27db9d7f461e402b3e132f5a8746147ee54f964b6ee37aa477d96224d0b303',
  '0023_form_answers.sql': 'bbf72534b8453a09a1a84c5ae9229622b7cdbfe37a6bc93f50c48ef08b497004',
  '0024_support_hours.sql': '1bbf5bf8841d5e04ddd9309bfe7d3140139f4c0f1ef80604ec166d64a93a6227',
  '0025_area_verified.sql': '109bcce7de9618a3ca3baa78a6b1321087d6204fd1f264441a87a7872d23d7ee',
  '0026_lost_projects.sql': '02681661d34181d603c312557bb7fb8354167652218ff572ae4cd141b0a0c5b8',
  '0027_full_name.sql': 'a260e0e09cf4230476eb43b97a4bf5440aed9dea95a0d8cf8ef8bd56aeeaab6b',
  '0028_orders_of_lists.sql': '46d6a093ee679d8037b5284db8a4a42fca748820e713ba782b8cfacb8fd4163a',
  '0029_standing_of_each.sql': '6ef42927c0ce4cca1fbe8cd5347b953056bb17c6377ed441403ad96d21f8eca7',
  '0030_customer_page.sql': '53280ac8469cc7f64e901cfc84422bbc81eac6f52d55fae6cfba13a51620143d',
}
