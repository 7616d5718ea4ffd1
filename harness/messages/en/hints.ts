/** What a failing case shows of its cause: a pointer or a question, never the code. The key names the cause. */
export const hints = {
  // any function
  lockLeft:
    'The database is locked, and nobody but your own earlier calls can hold that lock. Which way out of a function ends neither its transaction nor its connection?',
  transactionLeft:
    'A transaction of an earlier call is still open on this connection. Which way out of a function ends it neither by COMMIT nor by ROLLBACK?',
  otherType:
    'The value is right, its type is not: 1, 1.0, True and "1" are four different values. Which type does the returned expression have?',
  notCommitted:
    'The call says that it worked, but another connection sees the table as it was before. When does your transaction end, and by what?',
  firstDatabase:
    'This process had served another database before. Which database does the connection of this call belong to?',
  staleAnswer:
    'This answer was true at an earlier call, and another connection has changed the rows since. Where is it kept between calls?',

  // init_db
  tableExists:
    'An earlier call, perhaps in another process, has made the table already. What does your statement do when it is there?',
  initForgetsRows:
    'The rows that were there before this call are gone. What does it do to a table that exists?',
  tableMissing:
    'init_db came back, but the file has no table `keys`. Was it made in this file, and committed?',
  columnNames:
    'Names, number or order of the columns differ. Compare them with the contract, from left to right.',
  columnType:
    'The columns have the right names, one has another declared type. What does SQLite do to a value that is put into a column of that type?',
  primaryKeyMissing:
    'Names and types are right, the primary key is not. Which column may never have one value twice?',
  notNullMissing: 'One column may be NULL that must not be. Which constraint does the contract give it?',
  notNullExtra: 'One column is NOT NULL that may be empty. What does a pending row have in it?',
  idsMerged: 'Two different ids were refused as one. Which collation does the column `id` compare by?',

  // reserve
  integrityLeak:
    'The constraint did its work, and its exception went on to the caller. What does the contract call this outcome?',
  keyTaken:
    'The id has a row already, and yet the answer is True. What becomes of a row that is in the way, and how do you know that yours was inserted?',
  existingRowChanged:
    'The row that was there before is not the same any more. Which statement may write to a key that exists?',
  normalised:
    'Two keys that only look alike were taken for one: one is composed, the other decomposed. Is the text changed on its way, before it is stored or compared?',
  trimmed:
    'Two keys that differ only in blanks at an end were taken for one. Is the text changed on its way?',
  caseFolded:
    'Two keys that differ only in case were taken for one. Which operator, collation or conversion does not tell them apart?',
  likeWildcards:
    'One key, read as a pattern, matches the other: `%` and `_` are wildcards somewhere. By which operator are keys compared?',
  timeRounded:
    'The instant that was stored is not the one that was given, but a rounded one. What is done to `expires` on its way?',
  nullAsText: 'A pending row has no response: NULL, not a text. Which value is given for the column?',
  raceInsertFails:
    'While the call waited for the lock another connection put this key in its place, and the insert ran into it. What was known of the key, and since when?',
  changedInBetween:
    'While the call waited for the lock another connection changed the row, and what was decided before was done all the same. Can a single statement both check and write?',

  // finish
  jsonTwice:
    'The column has the JSON text of a JSON text. How many times is the response encoded on its way?',
  storedOtherType:
    'What was stored reads back as the same value of another type. What is done to the response before it is encoded?',
  notJson:
    "The stored text is no JSON: the language's own notation of a value is another one. What turns the response into text?",
  falsyLost:
    'This response counts as false, as None, 0, "" and [] do, and it got lost. Where does a test for truth stand in for a test for absence?',
  responseNull:
    'The key is done, but its response is NULL. Does the statement store the text that was encoded?',
  finishedTwice:
    'The key was done already, and yet the answer is True. Which status must the row have, and how do you know that one was changed?',
  fingerprintLoosely:
    'The fingerprints differ only in case, or one matches the other as a pattern, and yet the answer is True. Are they compared, and by which operator?',
  fingerprintIgnored:
    'The key belongs to another fingerprint, and yet the answer is True. Is the fingerprint part of the condition?',
  trueForNothing: 'No row has this id, and yet the answer is True. How do you know that a row was changed?',
  pendingNotFinished:
    'Id and fingerprint match and the row is pending, which is all that counts. What else does your condition ask for?',

  // fetch
  notParsed: 'The answer is the stored text itself. What does the caller want: the JSON, or what it says?',
  nowRounded:
    'Without the fraction of `now` the row would still be alive. Is `now` compared as it was given?',
  boundary:
    'Here `now` is exactly `expires`, and the response still came back. On which side of your comparison does this instant fall?',
  boundaryOrClock:
    'Here `now` is exactly `expires`, and the response still came back. Does your comparison leave this instant out, and is it made with the `now` of the call?',
  boundaryOrFraction:
    'Here `now` is exactly `expires`, both with a fraction, and the response still came back. Does your comparison leave this instant out, and is `now` used unrounded?',
  wallClock:
    'By the `now` of the call the row has expired, by the clock on the wall it has not. By which of them does your comparison go, if there is one?',
  expiryIgnored:
    'The row had expired, and the response still came back. Is `expires` compared with `now`, and in which direction?',
  nothingToParse:
    'Where None is due the call raised. What does it parse when there is no such row, or a row without a response?',
  liveNotReplayed:
    'The row is done and expires after the `now` of the call, and yet there was no response. What else does your condition ask for, or by which clock?',
  lazyDeletion:
    'Rows that had expired are gone after a read. Which function alone may end the life of a key?',
  slidingExpiry: 'Reading has put off the end of the row. Who may set `expires`, and when?',

  // limits
  driverRefuses:
    'The refusal came from the database driver. Where does your own function look at the limit before it is used?',
  limitBool:
    'A bool passed for a limit: in Python True and False are ints, too. Which check tells them apart?',
  limitConverted: 'A limit that is no int passed, as if it were one. Is it checked, or converted?',
  limitClamped:
    'The limit is out of range, and was bent into it without a word. What does the contract say of such a limit?',
  limitAccepted:
    'The limit is out of range, and a list came back. What is checked before the query, and are both ends of the range?',
  deletedBeforeCheck:
    'The limit was refused, and yet rows are gone. What comes first, the check or the delete?',

  // expired and purge
  countInsteadOfList: 'The answer is how many, the contract asks which. What does the caller need to know?',
  pendingListed: 'Ids of pending rows are in the list. What besides the time decides whether a row may go?',
  pendingGone:
    'A pending row went, and its request may still be at work. What besides the time decides whether a row may go?',
  boundaryDue:
    'A row that expires exactly at `now` is left out. On which side of your comparison does this instant fall?',
  descending:
    'The ids are right, but stand from the last to the first. In which direction is the list sorted?',
  insertionOrder:
    'The ids are right, but stand in the order in which their rows were inserted. Does the query ask for an order, and for which?',
  orderByExpiry:
    'The ids are right, but stand in the order in which they expired. By which column is the list sorted?',
  caseOrder:
    'The ids are right, but stand as in a dictionary, whatever their case. Which collation sorts by code point?',
  utf16Order:
    'The ids are right, but sorted by UTF-16 units, not by code point. Which of the two orders do the texts beyond U+FFFF show?',
  otherOrder:
    'The ids are right, their order is not. Where does it come from: from ORDER BY, by which column and collation, or from how the rows happen to lie?',
  limitBeforeFilter:
    'The limit seems to count rows that are not due, too. Which comes first, the condition or the limit?',
  defaultLimit:
    'No limit was given, which means ten, and another number of ids came. What is the default, and how is it used?',
  limitIgnored: 'All that are due came, whatever the limit. Does the limit reach the query?',
  limitOffByOne:
    'The list is one longer or shorter than the limit. How is the limit used on its way into the query?',
  limitExceeded: 'There are more ids than the limit allows. Does it reach the query, and as it was given?',
  halfDeleted:
    'One row could not be deleted, and others are gone all the same. What becomes of the transaction when a statement in it fails?',
  reportedGone: 'The answer names rows that are still there. What becomes of the error of the delete?',
  limitNotInDelete:
    'The list keeps to the limit, the delete does not. Does it take the rows of the list, or whatever fits a condition?',
  rangeDeleted:
    'Rows between the first and the last id of the list went, too. Does the delete take each id, or a range?',
  deletedByLike:
    'One of the ids, read as a pattern, matches the rows that went as well. By which operator does the delete compare?',
  moreGone:
    'More rows went than the answer names. Does the delete take the rows of the list, and nothing else?',
  purgeGap:
    'Between your select and your delete another connection changed a row, and the delete took what it had found before. At which statement does your transaction begin?',

  // counts
  zeroMissing: 'A status that no row has is missing. What does GROUP BY say of groups without rows?',
  pendingNotCounted:
    'There are pending rows, and 0 is said of them. What is counted: rows, or something that a pending row does not have?',
  distinctCounted: 'Rows of one fingerprint were counted as one. What is counted: rows, or different values?',
  countCapped:
    'The counts add up to a round number, and the table has more rows. Does a limit stand where none belongs?',

  // retention_cycle
  cycleLeavesNothing: 'The answer is right, but no row is there. Was anything done, and was it committed?',
  cycleFirstMarks:
    'The row that is left bears the marks of the first reservation. What distinguishes the second request from it?',
  cycleSecondFails:
    'The second reservation found the key still there. Was the first one done, and was it due at the instant of the purge?',
  cycleNotReserved: 'The key never was pending under v1. Which steps come before the last one?',
  cycleNotFinished: 'The key never was done under v1. Which step lies between the reservation and the purge?',
  cycleOtherResponse:
    'The key went through its states with other values than the contract names. With which response and which instants?',
  cycleNotPurged: 'The first row never went. What has to happen before a key is new again?',

  // what a command prints, and how it ends
  unreadableAccepted:
    'A file that holds no request was answered with exit code 0. What becomes of an error while the file is read?',
  unreadableOtherExit:
    'The command noticed that it cannot read the request, and ended with another exit code than 3. Which errors can reading and parsing raise?',
  crashExitZero:
    'The process was to die after the claim, and ended with exit code 0. How does a shell tell a death from a success?',
  gaveUpLocked:
    'The database was locked for a moment, and the command gave up. How long does it wait, and at which statement does it ask for the lock?',
  integrityUncaught:
    'The constraint did its work, and its exception ended the command. What is to be answered when the key is there already?',
  commandDied: 'The command ended without a response. What do the last lines of stderr say?',
  stdoutEmpty: 'Nothing was printed, with exit code 0. Is there a path on which no response is written?',
  responseShape:
    'One JSON value was printed, but not with status, replay, reason and body of their types. Which member is missing, or of another type?',
  stdoutExtra: 'There is more on standard output than the response. Where may all else go?',
  stdoutNotJson: 'What was printed is no JSON. Who writes the text: a JSON encoder, or the language?',

  // a new key
  transferIdMissing:
    'The answer is 201, but its body names no `transfer_id`. How is the client to find its transfer?',
  purgeOnlyCounts:
    'The purge said that it took the key, and the key is still known. Does it delete what it counts, and commit?',
  scopeWithoutClient:
    'Another client used the same text as its key, and this request was taken for a retry of it. Is the client a part of the key, as it is written?',
  scopeWithoutEndpoint:
    'The same text was used at another endpoint, and this request was taken for a retry of it. Is the endpoint a part of the key?',
  scopeJoined:
    'Client and endpoint are different, but written one after the other they are the same text. Is each a part of the key by itself?',
  keyGlobal:
    'Another client used the same text at another endpoint, and this request was taken for a retry of it. For whom does a key count?',
  scopeConfused:
    'The same text was used under another client or endpoint, and this request was taken for a retry. What belongs to a key besides its text?',
  bodyTakenForKey:
    'An earlier request had another key and the same body, and this one was taken for its retry. What makes two requests one?',
  keysAlike:
    'An earlier key looks almost like this one, and they were taken for one. Is a key changed on its way, or compared by something else than equality?',

  // a retry of a completed key
  purgedNewer:
    'The key is newer than the cut-off, and yet it was forgotten: its retry was executed. In which direction are the instants compared?',
  bothExecuted:
    'Two requests with one key came at the same moment, and both were executed. What happens between your look at the key and the insert?',
  replayFlag:
    'The stored response came back, but it does not say that it is a replay. What does a client learn from `replay`?',
  retryExecuted:
    'A retry was executed like a new request: the transfer is booked twice. What keeps the second claim of this key out?',
  mismatchTookKey:
    'Since a request with another body was refused, the true retry is refused as well. What may a refused request change?',
  fingerprintUnsorted:
    'The same members in another order were taken for another body. In which order does the fingerprint take them?',
  fingerprintOfText:
    'The same body in another spelling was taken for another one. Is the fingerprint one of the text, or of what it says?',
  replayRefused:
    'The first request was executed, and its retry still hears 409. When is the key completed, and what is answered then?',
  replayStatus:
    'The replay has another status than the first response. Where does the status of a replay come from?',
  replayWithoutBody: 'The replay has no body, the first response had one. What of a response is stored?',
  replayOfOther:
    "The replay tells of another request's transfer. By what is the stored response found again?",
  replayReordered:
    'The members of the replayed body stand in another order than at first. Is the body stored as it was sent, or put together again?',
  replayRespelled:
    'A number in the replayed body is spelled in another way than at first. Is the body stored as it was sent, or read from columns of another type?',
  replayTime: 'The replayed body has another time than at first. Is the response stored, or made once more?',
  replayRecomputed:
    'The replayed body has another value than at first. Is the response stored, or worked out once more from what is true now?',

  // refusals
  otherBodyExecuted:
    'The key was used for another body, and this one was executed all the same. Does the fingerprint belong to the key, or is it compared with the one stored?',
  fingerprintNotCompared:
    'The body is another one, and it passed for a retry. Is the fingerprint compared, and does it cover every member?',
  conflictFor422:
    'Another body was answered 409, which tells a client to try again later. Which status says that it never will work?',
  claimLost:
    'A process claimed this key and died, and the retry was executed. Was the claim committed before the work began, and who may take it over?',
  completedTooEarly:
    'The process died before any money moved, and the retry hears that all is done. When is the key completed, and is that looked at before a replay?',
  reasonMissing:
    "The status is right, the reason is not 'in_progress'. How is a client to tell that waiting helps?",
  mismatchFor409:
    'The body is the one that was claimed, and the answer is 422. Which is looked at: the fingerprint or the state?',

  // the purge
  offsetIgnored:
    'The cut-off has an offset, and the purge acted as if it meant another instant. Are instants compared, or the texts that stand for them?',
  cutoffIgnored:
    'The cut-off lies before every key, and keys went all the same. Is it compared with their age, and in which direction?',
  cutoffUnit:
    'The cut-off lies after every key, and some stayed. Have both sides of the comparison one unit and one form?',

  // the money
  debitOnly:
    'The money has left one account and has not come to the other. Which statements make up one transfer?',
  creditOnly:
    'The money has come to one account and has not left the other. Which statements make up one transfer?',
  balancesUnmoved:
    'The answer is 201, and no balance has changed. Which tables does a transfer change, and when is that committed?',
  movedTwice: 'The balances have moved by twice the amount. Are they changed at more than one place?',
  crashMoved: 'The process died after the claim, and the money has moved. What comes first?',
  halfMoved:
    'One side of the transfer failed, and the other stands. Which statements are in one transaction, and how does it end after an error?',
  retryMoved:
    'The answer says that nothing was executed, and the balances have moved. Is it known whose key it is before the money moves?',
  transfersPurged:
    'With the keys the transfers went. Which table is the memory of requests, and which is the ledger?',
  transferRowMissing:
    'The balances are right, but `transfer` has no row of it. Which tables does a transfer change?',
  transferRowReversed:
    'The row in `transfer` goes the other way than the request. Which value is written to which column?',
  transferRowTwice:
    'The transfer has one row too many. Which statement writes it, and how often is it reached?',

  // the files
  generatedNothing: 'The table is there, and no row in it. When does the transaction that fills it end?',
  retriesNotLogged:
    'The log has one row a key. What does a gateway write down when a client sends a request again?',
  retriesWithNewKeys: 'Each request has a key of its own. What makes a request a retry?',
  v1OncePerKey: 'The old system shows one transfer a key. What did it know of keys?',
  v1OtherAmount:
    'All transfers are there, some with another amount than their request. Which request does each of them belong to?',
  memberMissing: 'The file lacks a member. Which names does the lab text ask for?',
  numberAsText: 'A number is written as text. How does JSON tell them apart?',
  policyUnit: 'The retention is given in another unit. What does the name of the member say?',
  policyScope: 'The scope lacks a name. What makes up a key since step 7?',
  firstCountedExtra: "Each key's first transfer is among the extra ones. Which of its transfers was due?",
  uniqueMeansOnce: 'Keys that were used once were counted. How many different keys are there?',
  retriesForKeys:
    'The extra transfers were counted, not the keys that have some. What is `duplicate_keys` a number of?',
  keysLeftOut:
    'The list of keys is not complete. Which condition finds those with two transfers or more, and is there a limit?',
  doublePaidTooMuch:
    '`double_paid` is more than the extra transfers come to, and their number is right. Which rows go into the sum?',
  dayBookedTwice:
    'The day has all transfers that are due, and more. Was every retry sent under its own key, and was the file empty at the start?',
  dayLeftOut: 'Transfers are missing that are due. Was every request of the log sent?',
  dayOtherRequest:
    'There are as many transfers as are due, but not the same. In which order were the requests sent?',
  requestsLeftOut: 'Fewer requests were counted than the log has. Were any of them left out?',
  rejectedAsReplayed:
    'The rejected requests were counted as replayed. How does a response tell the two apart?',
  replayedAsCreated:
    'The replays were counted as created. How does a response tell the two apart, when the status is the same?',
  numbersDoNotAdd:
    'created, replayed and rejected do not add up to requests. Which response is counted twice, or not at all?',
  countForAmount:
    '`double_paid_avoided` is how many retries there were. What does the lab text ask for: a number of requests or an amount?',
  sectionOrder: 'All four sections are there, in another order. Which comes first in the lab text?',
  headingOther: 'A heading is worded in another way than the lab text has it. Compare them letter by letter.',
  headingMissing:
    'A section was not found. Is its heading one of the second level, and is there text under it?',
  amountNotNamed: 'The report does not name the amount that was saved. Which number of result.json is it?',
};
