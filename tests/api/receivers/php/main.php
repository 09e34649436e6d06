<?php

// Prints a JSON array of booleans: the result of the example for each vector. The argument is the file of vectors.
require __DIR__ . '/../../../../src/api/receivers/verify_webhook.php';

$vectors = json_decode(file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR)['vectors'];
echo json_encode(array_map(fn($v) => verify_webhook($v['secret'], $v['header'], $v['body'], $v['now']), $vectors));
